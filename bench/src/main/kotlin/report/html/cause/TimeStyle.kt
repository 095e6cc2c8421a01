package threadgauge.report.html.cause

import threadgauge.model.judgement.cause.TimeKind

/**
 * The color of a part, as a class of `parts.css`. Kinds that are alike share a color, so that a bar has seven colors
 * at most. No part is known by its color alone: the table has its words.
 */
internal val TimeKind.style: String
    get() = "time " + when (this) {
        TimeKind.CPU, TimeKind.READY -> "time-cpu"
        TimeKind.THREAD, TimeKind.OTHER_THREAD -> "time-thread"
        TimeKind.LOCK, TimeKind.CONNECTION_POOL -> "time-scarce"
        TimeKind.DATABASE, TimeKind.BACKEND, TimeKind.NAME_LOOKUP, TimeKind.FILE -> "time-call"
        TimeKind.SLEEP, TimeKind.ASYNCHRONOUS, TimeKind.NETWORK -> "time-sleep"
        TimeKind.COLLECTOR -> "time-collector"
        TimeKind.UNACCOUNTED -> "time-unknown"
    }
