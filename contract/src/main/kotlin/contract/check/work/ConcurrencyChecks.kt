package threadgauge.contract.check.work

import threadgauge.contract.check.Check
import threadgauge.contract.check.mustOverlap
import threadgauge.contract.check.runtime.limitOf
import threadgauge.contract.client.Answer
import threadgauge.contract.client.ContractClient

/**
 * Concurrent requests that wait. Only they show whether a wait holds a thread. So `/offload` cannot be `/block` under
 * another name, and the limits from which ceilings are computed are true.
 */
internal val concurrencyChecks: List<Check> = buildList {
    listOf("/delay", "/offload").forEach { endpoint ->
        add(
            Check("$endpoint delays no other waiting request", endpoint) {
                val many = minOf(limitOf("$endpoint/0") ?: MANY, MANY)
                if (many > 1) mustOverlap(2, OVERLAP_MILLIS) { millis -> waitConcurrently(endpoint, millis, many) }
            },
        )
    }
    waits.keys.forEach { endpoint ->
        add(
            Check("$endpoint serves no more requests at a time than /runtime reports", endpoint) {
                val limit = limitOf("$endpoint/0") ?: return@Check
                // The request beyond the limit waits for one of the others.
                if (limit <= MAX_LIMIT) {
                    waitConcurrently(endpoint, WAIT_MILLIS, limit + 1).mustTakeAtLeast(2 * WAIT_MILLIS)
                }
            },
        )
    }
}

/** One of the answers, all of which are correct. */
private fun ContractClient.waitConcurrently(endpoint: String, millis: Int, count: Int): Answer =
    getConcurrently("$endpoint/$millis", count)
        .onEach { it.mustBePlainText().mustHaveBody("${waits[endpoint]} $millis") }.last()

/** More than a measured server has event loops, so that some requests would wait for others if these were blocked. */
private const val MANY = 17

/** Higher limits are not checked: a process that just started would get more connections at once than it can take. */
private const val MAX_LIMIT = 64
private const val OVERLAP_MILLIS = 100
