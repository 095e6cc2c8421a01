package threadgauge.contract.check

import threadgauge.contract.client.Answer
import threadgauge.contract.client.ContractClient
import threadgauge.contract.client.ContractViolation

/**
 * All [calls] backend calls of one request must wait at the backend at one time, in one of several attempts with longer
 * and longer waits, from [millis] on. The backend counts what overlaps; see [mustOverlapInside] where nothing counts.
 */
internal fun ContractClient.mustOverlapAtBackend(calls: Int, millis: Int, request: (millis: Int) -> Answer) {
    val expected = calls * (calls - 1L) / 2
    var what = ""
    var seen = 0L
    for (longer in longerWaits(millis, calls)) {
        seen = overlapsDuring { what = request(longer).request }
            ?: return mustOverlapInside(calls, millis, request)
        if (seen == expected) return
    }
    throw ContractViolation(
        "$what: expected $expected pairs of backend calls that overlap, as $calls calls at a time make, got $seen",
    )
}

/** No backend call of the [request] may begin before the one before has ended, if a backend counts what overlaps. */
internal fun ContractClient.mustNotOverlapAtBackend(request: () -> Answer) {
    var what = ""
    val seen = overlapsDuring { what = request().request } ?: 0
    if (seen > 0) throw ContractViolation("$what: expected one backend call at a time, got $seen pairs that overlap")
}

/**
 * An answer that needs [waits] waits within the server must come sooner than if they followed one another, in one of
 * several attempts with longer and longer waits, from [millis] on.
 */
internal fun ContractClient.mustOverlapInside(waits: Int, millis: Int, request: (millis: Int) -> Answer) {
    val attempts = longerWaits(millis, waits)
    attempts.dropLast(1).forEach { if (request(it).isSoonerThan(waits * it)) return }
    attempts.last().let { request(it).mustTakeLessThan(waits * it) }
}

/**
 * Waits to try, in milliseconds: from [from] on, each four times as long as the one before, while [inRow] of them one
 * after the other take no longer than an answer may.
 *
 * A process that just started, or a busy machine, adds a delay that does not grow with the waits. So overlapping waits
 * are recognized once they are long enough, on a warm server at the first attempt. Waits that follow one another never
 * look as if they overlapped.
 */
internal fun ContractClient.longerWaits(from: Int, inRow: Int = 2): List<Int> =
    generateSequence(from) { it * 4 }.takeWhile { it == from || it * inRow <= patience.inWholeMilliseconds }.toList()

/** Pairs of calls that waited at the backend at one time during [block]. Null where no backend counts them. */
private fun ContractClient.overlapsDuring(block: () -> Unit): Long? {
    val before = counters.overlappingCalls()
    block()
    return before?.let { checkNotNull(counters.overlappingCalls()) - it }
}
