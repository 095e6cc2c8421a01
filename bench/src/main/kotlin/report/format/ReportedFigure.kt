package threadgauge.report.format

import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.Figure

/** What is told of every cell, in the order of the columns. */
internal enum class ReportedFigure(
    val label: String,
    val unit: String,
    /** For somebody who has never read such a report. */
    val explanation: String,
    val of: (CellJudgement) -> Figure?,
) {
    THROUGHPUT(
        "Throughput", "answers/s",
        "Correct answers in each second of load. More is better, as far as the load asked for more.",
        CellJudgement::throughput,
    ),
    P50(
        "p50", "ms",
        "Half of the requests were answered within this time, counted from the moment they were meant to be sent.",
        CellJudgement::p50Millis,
    ),
    P90("p90", "ms", "90 of 100 requests were answered within this time.", CellJudgement::p90Millis),
    P99(
        "p99", "ms",
        "99 of 100 requests were answered within this time. It tells what the unlucky ones see.",
        CellJudgement::p99Millis,
    ),
    CPU(
        "CPU per request", "µs",
        "Time that the server kept processors busy, divided by the requests it answered. What a request costs to " +
            "serve.",
        CellJudgement::cpuMicrosPerRequest,
    ),
    ALLOCATED(
        "Allocated", "kB per request",
        "Memory that the server's objects took while it answered, thrown away again soon; in thousands of bytes. " +
            "Two processes of one server hardly differ in it, so it tells small differences of cost where " +
            "CPU per request cannot.",
        CellJudgement::allocatedKilobytesPerRequest,
    ),
    SWITCHES(
        "Context switches", "per request",
        "How often the operating system swapped one thread of the server for another, per request.",
        CellJudgement::switchesPerRequest,
    ),
    MEMORY(
        "Memory", "MB",
        "The most memory that the process held under this load (resident set), in millions of bytes.",
        CellJudgement::rssMegabytes,
    ),
    THREADS("Threads", "at most", "The most operating system threads that the process had.", CellJudgement::threads),
    BOOT(
        "Boot", "ms",
        "From the start of the process to its first correct answer.",
        CellJudgement::bootMillis,
    );

    /** Target of the links from column headings to the explanation. */
    val anchor: String get() = "word-" + name.lowercase()
}
