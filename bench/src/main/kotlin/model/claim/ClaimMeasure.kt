package threadgauge.model.claim

import kotlinx.serialization.Serializable

/** Measures of claims. [word] is the spelling in a file. */
@Serializable
enum class ClaimMeasure(
    val word: String,
    val unit: ClaimUnit,
    /** One value for each load on the process; otherwise one for the process. */
    val isOfLoad: Boolean = true,
    /** Measured only if the experiment has a `rest`. */
    val atRest: Boolean = false,
) {
    THROUGHPUT("throughput", ClaimUnit.PER_SECOND),
    P50("p50", ClaimUnit.MILLIS),
    P90("p90", ClaimUnit.MILLIS),
    P99("p99", ClaimUnit.MILLIS),

    /** Over all answers of one load. It grows with their number, so it compares only loads of equal size. */
    SLOWEST("slowest", ClaimUnit.MILLIS),

    /** Failed requests as a share of all. */
    ERRORS("errors", ClaimUnit.SHARE),
    CPU("cpu", ClaimUnit.MICROS),

    /** Maximum resident memory under the load. */
    MEMORY("memory", ClaimUnit.MEGABYTES),

    /** Heap allocation of its JVM. */
    ALLOCATED("allocated", ClaimUnit.KILOBYTES),
    SWITCHES("switches", ClaimUnit.COUNT),
    THREADS("threads", ClaimUnit.COUNT),

    /** From the start of the process to its first correct answer. */
    BOOT("boot", ClaimUnit.MILLIS, isOfLoad = false),

    /** Boot time as the framework logs it. */
    LOGGED_BOOT("logged-boot", ClaimUnit.MILLIS, isOfLoad = false),

    /** Resident memory after the boot and the first answers, before any load. */
    RSS("rss", ClaimUnit.MEGABYTES, isOfLoad = false),

    /** After the boot and the first answers, before any load. */
    CLASSES("classes", ClaimUnit.COUNT, isOfLoad = false),

    /** Peak over half a second until the first correct answer, as a share of the target's cores. */
    START_CPU("start-cpu", ClaimUnit.SHARE, isOfLoad = false),

    /** CPU time until the first correct answer. */
    BOOT_CPU("boot-cpu", ClaimUnit.MILLIS, isOfLoad = false),

    /** Of an idle process, as a share of the target's cores. */
    IDLE_CPU("idle-cpu", ClaimUnit.SHARE, isOfLoad = false, atRest = true),

    /** Heap in use at the first garbage collection. */
    FIRST_COLLECTION("first-collection", ClaimUnit.MEGABYTES, isOfLoad = false, atRest = true),

    /** Of each load on a sale; none without a sale. */
    OVERSOLD("oversold", ClaimUnit.COUNT),
    LOST("lost", ClaimUnit.COUNT),
    DUPLICATED("duplicated", ClaimUnit.COUNT);

    /** Counts of events: their range over trials is exact, and no doubt applies to them. */
    val isAudited: Boolean get() = this == OVERSOLD || this == LOST || this == DUPLICATED
}

/** Units of measures. */
@Serializable
enum class ClaimUnit {
    PER_SECOND, MILLIS, MICROS, MEGABYTES, KILOBYTES,

    /** 0 to 1. */
    SHARE,

    /** A plain number. */
    COUNT,
}
