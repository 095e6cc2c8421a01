package threadgauge.model.claim

import kotlinx.serialization.Serializable

/** What a claim may speak of. [word] is its spelling in a file, [title] that for people. */
@Serializable
enum class ClaimMeasure(
    val word: String,
    val title: String,
    val unit: ClaimUnit,
    /** One value for each load that was put on the process; otherwise one for the process. */
    val isOfLoad: Boolean = true,
    /** Known only where the experiment lets processes rest after their start. */
    val atRest: Boolean = false,
) {
    THROUGHPUT("throughput", "Throughput", ClaimUnit.PER_SECOND),
    P50("p50", "Median latency", ClaimUnit.MILLIS),
    P90("p90", "p90 latency", ClaimUnit.MILLIS),
    P99("p99", "p99 latency", ClaimUnit.MILLIS),

    /** Of all answers of one load. It grows with their number, so it compares loads of equal size alone. */
    SLOWEST("slowest", "Slowest answer", ClaimUnit.MILLIS),

    /** Failed requests of all requests. */
    ERRORS("errors", "Failed requests", ClaimUnit.SHARE),
    CPU("cpu", "CPU per request", ClaimUnit.MICROS),

    /** The most resident memory under the load. */
    MEMORY("memory", "Memory under load", ClaimUnit.MEGABYTES),

    /** By the objects of its JVM, which a collector takes away again. */
    ALLOCATED("allocated", "Allocated per request", ClaimUnit.KILOBYTES),
    SWITCHES("switches", "Context switches per request", ClaimUnit.COUNT),
    THREADS("threads", "Threads", ClaimUnit.COUNT),

    /** From the start of the process to its first correct answer. */
    BOOT("boot", "Boot to the first correct answer", ClaimUnit.MILLIS, isOfLoad = false),

    /** What the framework itself says that it took. */
    LOGGED_BOOT("logged-boot", "Boot as the framework logs it", ClaimUnit.MILLIS, isOfLoad = false),

    /** Resident memory after the boot and the first answers, before any load. */
    RSS("rss", "Memory before any load", ClaimUnit.MEGABYTES, isOfLoad = false),

    /** After the boot and the first answers, before any load. */
    CLASSES("classes", "Loaded classes before any load", ClaimUnit.COUNT, isOfLoad = false),
    /** The most in any half second until the first correct answer, of the cores of the target. */
    START_CPU("start-cpu", "Peak CPU at the start", ClaimUnit.SHARE, isOfLoad = false),

    /** All of it until the first correct answer. */
    BOOT_CPU("boot-cpu", "Processor time of the boot", ClaimUnit.MILLIS, isOfLoad = false),

    /** Of a process that is left alone, of the cores of the target. */
    IDLE_CPU("idle-cpu", "CPU at rest", ClaimUnit.SHARE, isOfLoad = false, atRest = true),

    /** What was in the heap when the first collection began. */
    FIRST_COLLECTION("first-collection", "Heap at the first collection", ClaimUnit.MEGABYTES, isOfLoad = false, atRest = true),

    /** Of each load on a sale; nothing where nothing is sold. */
    OVERSOLD("oversold", "Seats sold that are not there", ClaimUnit.COUNT),
    LOST("lost", "Reservations promised and lost", ClaimUnit.COUNT),
    DUPLICATED("duplicated", "Reservations made twice for one wish", ClaimUnit.COUNT);

    /** Counts of what happened: their range over trials is known, not estimated, and nothing makes it doubtful. */
    val isAudited: Boolean get() = this == OVERSOLD || this == LOST || this == DUPLICATED
}

/** Units of what claims speak of, as they stand behind a number. */
@Serializable
enum class ClaimUnit(val sign: String) {
    PER_SECOND("/s"),
    MILLIS("ms"),
    MICROS("µs"),
    MEGABYTES("MB"),
    KILOBYTES("kB"),

    /** 0 to 1, shown as per cent. */
    SHARE("%"),

    /** A plain number. */
    COUNT(""),
}
