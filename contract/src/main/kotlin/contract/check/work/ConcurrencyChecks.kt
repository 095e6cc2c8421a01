package threadgauge.contract.check.work

import threadgauge.contract.check.Check
import threadgauge.contract.check.longerWaits
import threadgauge.contract.check.runtime.limitOf
import threadgauge.contract.client.Answer
import threadgauge.contract.client.ContractClient
import threadgauge.contract.client.ContractViolation

/**
 * Concurrent requests that wait. Only they show whether a wait holds a thread. So `/offload` cannot be `/block` under
 * another name, and the limits from which ceilings are computed are true.
 *
 * No check has a time limit, which a busy machine would exceed: the order of the answers decides.
 */
internal val concurrencyChecks: List<Check> = buildList {
    listOf("/delay", "/offload").forEach { endpoint ->
        add(
            Check("$endpoint delays no other waiting request", endpoint) {
                val many = minOf(limitOf("$endpoint/0") ?: MANY, MANY)
                if (many > 1) mustServeWhileOthersWait(endpoint, many - 1)
            },
        )
    }
    waits.keys.forEach { endpoint ->
        add(
            Check("$endpoint serves no more requests at a time than /runtime reports", endpoint) {
                val limit = limitOf("$endpoint/0") ?: return@Check
                // The request beyond the limit waits for one of the others.
                if (limit <= MAX_LIMIT) {
                    val millis = longEnoughWait(endpoint, limit)
                    waitConcurrently(endpoint, millis, limit + 1).mustTakeAtLeast(2 * millis)
                }
            },
        )
    }
}

/**
 * While [waiting] requests wait, [SERVED] more, sent one after the other, must be answered before the first of the
 * waiting ones. A server whose waits hold all its threads serves none of them, unless they overtake the waiting ones on
 * the way; five in a row do not. A correct server on a busy machine needs longer waits to serve so many.
 */
private fun ContractClient.mustServeWhileOthersWait(endpoint: String, waiting: Int) {
    val short = "$endpoint/1"
    var served = 0
    val attempts = longerWaits(OVERLAP_MILLIS)
    for (millis in attempts) {
        val long = "$endpoint/$millis"
        served = countServedMeanwhile(long, waiting, short, SERVED) { it.mustBeRightAnswerOf(endpoint) }
        if (served == SERVED) return
    }
    throw ContractViolation(
        "GET $short: expected $SERVED answers, one after the other, while $waiting requests for " +
            "GET $endpoint/${attempts.last()} wait, got $served before the first of these was answered",
    )
}

/**
 * A wait, in milliseconds, that is long compared with the current delays of the machine: [limit] concurrent requests,
 * as many as the server serves at a time, take hardly longer than one. One request more then takes twice as long, and
 * the machine is not the reason. If requests wait for one another, as on a single event loop, no wait is long enough,
 * and all of them in a row must still be answered within the timeout.
 */
private fun ContractClient.longEnoughWait(endpoint: String, limit: Int): Int {
    val attempts = longerWaits(LIMIT_MILLIS, inRow = 2 * (limit + 1))
    return attempts.firstOrNull { waitConcurrently(endpoint, it, limit).isSoonerThan(it + it / 4) } ?: attempts.last()
}

/** The last of [count] concurrent answers, all of which must be correct. */
private fun ContractClient.waitConcurrently(endpoint: String, millis: Int, count: Int): Answer =
    getConcurrently("$endpoint/$millis", count).onEach { it.mustBeRightAnswerOf(endpoint) }.last()

/** Bodies end with the number in the path. */
private fun Answer.mustBeRightAnswerOf(endpoint: String) =
    mustBePlainText().mustHaveBody("${waits[endpoint]} ${request.substringAfterLast('/')}")

/** More than a measured server has event loops, so that some requests would wait for others if these were blocked. */
private const val MANY = 17

/** Requests in a row that are served while others wait. */
private const val SERVED = 5

/** Higher limits are not checked: a process that just started would get more connections at once than it can take. */
private const val MAX_LIMIT = 64
private const val OVERLAP_MILLIS = 100
private const val LIMIT_MILLIS = 50
