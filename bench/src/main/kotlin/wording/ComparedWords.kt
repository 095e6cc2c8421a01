package threadgauge.wording

import threadgauge.model.judgement.Compared

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
