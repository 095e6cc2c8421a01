package threadgauge.contract.check.work

import threadgauge.contract.check.Check
import threadgauge.contract.check.mustJoin
import threadgauge.contract.check.runtime.limitOf
import threadgauge.contract.client.Answer
import threadgauge.contract.client.Visit

/**
 * Requests that wait at the same time, or do not: what distinguishes a wait that holds a thread from one that does not cannot be seen by
 * one request after the other. So `/offload` cannot be `/block` under another name, and the limits by which ceilings are reckoned are true.
 */
internal val togetherChecks: List<Check> = buildList {
    listOf("/delay", "/offload").forEach { endpoint ->
        add(
            Check("$endpoint holds up no other request that waits", endpoint) {
                val many = minOf(limitOf("$endpoint/0") ?: MANY, MANY)
                if (many > 1) mustJoin(2, JOINED_MILLIS) { millis -> waitedTogether(endpoint, millis, many) }
            },
        )
    }
    waits.keys.forEach { endpoint ->
        add(
            Check("$endpoint serves no more requests at a time than /runtime says", endpoint) {
                val limit = limitOf("$endpoint/0") ?: return@Check
                // Whoever is one too many waits for another.
                if (limit <= LIMIT_MOST) waitedTogether(endpoint, WAIT_MILLIS, limit + 1).mustTakeAtLeast(2 * WAIT_MILLIS)
            },
        )
    }
}

/** One of the answers, all of them right. */
private fun Visit.waitedTogether(endpoint: String, millis: Int, count: Int): Answer =
    getTogether("$endpoint/$millis", count).onEach { it.mustBePlainText().mustHaveBody("${waits[endpoint]} $millis") }.last()

/** More than event loops on the cores of a server that is measured, so that some would have to wait for others if they were blocked. */
private const val MANY = 17

/** More would be more connections than a process that just started likes to have at once. */
private const val LIMIT_MOST = 64
private const val JOINED_MILLIS = 100
