package threadgauge.wording

import threadgauge.model.TurnsReason

/** Why stacks are measured one after the other, and what that costs. */
internal fun TurnsReason.words(): String = when (this) {
    is TurnsReason.Memory ->
        "Memory is too short for $stacks servers side by side (with $alive running, ${availableBytes / 1_000_000} MB were " +
            "left), so they are measured one after the other. Intervals will be wider."
    is TurnsReason.Port ->
        "$stack always serves port $port, whatever port it is assigned, so $other cannot run beside it. They are " +
            "measured one after the other, and intervals will be wider. Let the port be set by the variable PORT or by " +
            "{port} in the command."
}
