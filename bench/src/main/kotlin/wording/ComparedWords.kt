package threadgauge.wording

import threadgauge.model.judgement.Compared

/** The figure and its unit, in short. */
internal val Compared.figureAndUnit: String
    get() = when (this) {
        Compared.THROUGHPUT -> "answers/s"
        Compared.P50 -> "p50, ms"
        Compared.P99 -> "p99, ms"
        Compared.CPU -> "CPU/request, µs"
        Compared.MEMORY -> "memory, MB"
        Compared.ALLOCATED -> "allocated/request, kB"
    }

/** The usual name of the figure: "p99 latency". */
internal val Compared.words: String
    get() = when (this) {
        Compared.THROUGHPUT -> "throughput"
        Compared.P50 -> "median latency"
        Compared.P99 -> "p99 latency"
        Compared.CPU -> "CPU per request"
        Compared.MEMORY -> "memory"
        Compared.ALLOCATED -> "allocation per request"
    }
