package threadgauge.report.format

import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.Figure

/** The figures of a cell, in the order of the columns. */
internal enum class ReportedFigure(
    val label: String,
    val unit: String,
    /** An explanation for first-time readers. */
    val explanation: String,
    val of: (CellJudgement) -> Figure?,
) {
    THROUGHPUT(
        "Throughput", "answers/s",
        "Correct answers per second. Higher is better, unless the load limits it.",
        CellJudgement::throughput,
    ),
    P50(
        "p50", "ms",
        "The median: half of the requests were answered within this time, counted from when they were due.",
        CellJudgement::p50Millis,
    ),
    P90("p90", "ms", "90 % of the requests were answered within this time.", CellJudgement::p90Millis),
    P99(
        "p99", "ms",
        "99 % of the requests were answered within this time. The others took longer.",
        CellJudgement::p99Millis,
    ),
    CPU(
        "CPU per request", "µs",
        "CPU time of the server divided by the number of answered requests.",
        CellJudgement::cpuMicrosPerRequest,
    ),
    ALLOCATED(
        "Allocated", "kB per request",
        "Heap memory that the JVM allocated per answered request, in thousands of bytes. It hardly differs between " +
            "processes of one server, so it shows small differences of cost that CPU per request cannot.",
        CellJudgement::allocatedKilobytesPerRequest,
    ),
    SWITCHES(
        "Context switches", "per request",
        "How often the operating system switched between threads of the server, per request.",
        CellJudgement::switchesPerRequest,
    ),
    MEMORY(
        "Memory", "MB",
        "The maximum resident set size of the process under this load, in millions of bytes.",
        CellJudgement::rssMegabytes,
    ),
    THREADS("Threads", "maximum", "The maximum number of operating system threads.", CellJudgement::threads),
    BOOT(
        "Boot", "ms",
        "From the start of the process to its first correct answer.",
        CellJudgement::bootMillis,
    );

    /** Anchor of the explanation, to which column headings link. */
    val anchor: String get() = "word-" + name.lowercase()
}
