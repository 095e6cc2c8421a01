package threadgauge.wording

import threadgauge.model.TurnsReason

/** Why stacks are measured one after the other, as a clause. */
internal val TurnsReason.seen: String
    get() = when (this) {
        is TurnsReason.Memory ->
            "stacks were measured one after the other, because memory is too short for $stacks servers side by side " +
                "(with $alive of them running, ${availableBytes / 1_000_000} MB were left)"
        is TurnsReason.Port ->
            "stacks were measured one after the other, because $stack always serves port $port, whatever port it is " +
                "assigned, so $other could not start beside it"
    }

/** What the user can do about it. */
internal val TurnsReason.remedy: String
    get() = when (this) {
        is TurnsReason.Memory -> "Give the servers smaller heaps, or compare fewer at a time (--only)."
        is TurnsReason.Port -> "Let the port be set by the variable PORT, or by {port} in the command."
    }
