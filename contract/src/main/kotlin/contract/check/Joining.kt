package threadgauge.contract.check

import threadgauge.contract.client.Answer

/**
 * An answer that waits for [waits] things must come sooner than if it waited for one after the other. It is asked with longer and
 * longer waits, from [millis] on, until one does: a process that has just started, or a busy machine, is late by a time that does not
 * grow with the waits, but what waits for one thing after the other is never early. A right server that is warm needs one attempt.
 */
internal fun mustJoin(waits: Int, millis: Int, ask: (millis: Int) -> Answer) {
    var longer = millis
    repeat(ATTEMPTS) {
        repeat(ATTEMPTS_EACH) { if (ask(longer).isSoonerThan(waits * longer)) return }
        longer *= 2
    }
    ask(longer).mustTakeLessThan(waits * longer)
}

/** Attempts with the same wait, and how often it is doubled: to eight times, still far shorter than a server may take to answer. */
private const val ATTEMPTS_EACH = 3
private const val ATTEMPTS = 3
