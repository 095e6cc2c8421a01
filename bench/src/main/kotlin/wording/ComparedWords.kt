package threadgauge.wording

import threadgauge.model.judgement.Compared
import threadgauge.model.request.StepName

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

/** "buy.pay", as goals name it. */
internal val StepName.words: String get() = "$scenario.$step"

/** The figure of a cell, "throughput of shop in orders", or of a step: "p99 latency of buy.pay on shop in orders". */
internal fun Compared.subject(stack: String, situation: String, step: StepName?): String =
    if (step == null) "$words of $stack in $situation" else "$words of ${step.words} on $stack in $situation"

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
