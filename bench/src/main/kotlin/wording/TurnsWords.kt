package threadgauge.wording

import threadgauge.model.plan.TurnsReason

/** Why stacks are measured one after the other, as a clause. */
internal val TurnsReason.seen: String
    get() = when (this) {
        is TurnsReason.Memory ->
            "stacks were measured one after the other, because memory is too short for $stacks servers side by side " +
                "(with $alive of them running, ${availableBytes / 1_000_000} MB were left)"
        is TurnsReason.Port ->
            "stacks were measured one after the other, because $stack always serves port $port, whatever port it is " +
                "assigned, so $other could not start beside it"
        is TurnsReason.Start ->
            "stacks were measured one after the other, because $stack did not start while ${listed(others)} ran"
    }

/** What the user can do about it. */
internal val TurnsReason.remedy: String
    get() = when (this) {
        is TurnsReason.Memory -> "Give the servers smaller heaps, or compare fewer at a time (--only)."
        is TurnsReason.Start ->
            "If it needs something of its own, such as a port, a file or a lock, give it one by {port} or a variable."
        is TurnsReason.Port -> "Let the port be set by the variable PORT, or by {port} in the command."
    }
