package threadgauge.contract.check

import threadgauge.contract.client.Answer

/**
 * An answer that needs [waits] waits must come sooner than if they followed one another. [request] is repeated with
 * longer and longer waits, from [millis] on, until an answer does.
 *
 * A process that just started, or a busy machine, is late by a time that does not grow with the waits, while waits
 * that follow one another are never early. A correct server that is warm needs one attempt.
 */
internal fun mustOverlap(waits: Int, millis: Int, request: (millis: Int) -> Answer) {
    var longer = millis
    repeat(DOUBLINGS) {
        if (request(longer).isSoonerThan(waits * longer)) return
        longer *= 2
    }
    request(longer).mustTakeLessThan(waits * longer)
}

/** To sixteen times the wait, which is still shorter than an answer may take. */
private const val DOUBLINGS = 4
