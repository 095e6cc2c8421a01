package threadgauge.model.claim

import kotlinx.serialization.Serializable

/** What a claim may speak of. [word] is its spelling in a file. */
@Serializable
enum class ClaimMeasure(
    val word: String,
    val unit: ClaimUnit,
    /** One value for each load that was put on the process; otherwise one for the process. */
    val isOfLoad: Boolean = true,
    /** Known only where the experiment lets processes rest after their start. */
    val atRest: Boolean = false,
) {
    THROUGHPUT("throughput", ClaimUnit.PER_SECOND),
    P50("p50", ClaimUnit.MILLIS),
    P90("p90", ClaimUnit.MILLIS),
    P99("p99", ClaimUnit.MILLIS),

    /** Of all answers of one load. It grows with their number, so it compares loads of equal size alone. */
    SLOWEST("slowest", ClaimUnit.MILLIS),

    /** Failed requests of all requests. */
    ERRORS("errors", ClaimUnit.SHARE),
    CPU("cpu", ClaimUnit.MICROS),

    /** The most resident memory under the load. */
    MEMORY("memory", ClaimUnit.MEGABYTES),

    /** By the objects of its JVM, which a collector takes away again. */
    ALLOCATED("allocated", ClaimUnit.KILOBYTES),
    SWITCHES("switches", ClaimUnit.COUNT),
    THREADS("threads", ClaimUnit.COUNT),

    /** From the start of the process to its first correct answer. */
    BOOT("boot", ClaimUnit.MILLIS, isOfLoad = false),

    /** What the framework itself says that it took. */
    LOGGED_BOOT("logged-boot", ClaimUnit.MILLIS, isOfLoad = false),

    /** Resident memory after the boot and the first answers, before any load. */
    RSS("rss", ClaimUnit.MEGABYTES, isOfLoad = false),

    /** After the boot and the first answers, before any load. */
    CLASSES("classes", ClaimUnit.COUNT, isOfLoad = false),

    /** The most in any half second until the first correct answer, of the cores of the target. */
    START_CPU("start-cpu", ClaimUnit.SHARE, isOfLoad = false),

    /** All of it until the first correct answer. */
    BOOT_CPU("boot-cpu", ClaimUnit.MILLIS, isOfLoad = false),

    /** Of a process that is left alone, of the cores of the target. */
    IDLE_CPU("idle-cpu", ClaimUnit.SHARE, isOfLoad = false, atRest = true),

    /** What was in the heap when the first collection began. */
    FIRST_COLLECTION("first-collection", ClaimUnit.MEGABYTES, isOfLoad = false, atRest = true),

    /** Of each load on a sale; nothing where nothing is sold. */
    OVERSOLD("oversold", ClaimUnit.COUNT),
    LOST("lost", ClaimUnit.COUNT),
    DUPLICATED("duplicated", ClaimUnit.COUNT);

    /** Counts of what happened: their range over trials is known, not estimated, and nothing makes it doubtful. */
    val isAudited: Boolean get() = this == OVERSOLD || this == LOST || this == DUPLICATED
}

/** Units of what claims speak of. */
@Serializable
enum class ClaimUnit {
    PER_SECOND, MILLIS, MICROS, MEGABYTES, KILOBYTES,

    /** 0 to 1. */
    SHARE,

    /** A plain number. */
    COUNT,
}
