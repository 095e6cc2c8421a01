package threadgauge.contract.check.backend

import threadgauge.contract.check.Check
import threadgauge.contract.client.ContractClient
import threadgauge.contract.client.ContractViolation

/**
 * Extra calls of the backend, which only make a stack look slow. The backend counts them, so nothing relies on the
 * server's own report.
 *
 * CPU time is no measure of extra work: a fresh process compiles, and the frameworks' honest CPU per request differs by
 * factors. Extra bytes are found by the headers of an [threadgauge.contract.client.Answer] and by the checks of whole
 * answers.
 */
internal val extraCallChecks: List<Check> = buildList {
    add(
        Check("a request that needs no backend makes no backend call", USERS) {
            mustCall(0, "/hello")
            mustCall(0, "$USERS/7?ms=0")
        },
    )
    add(
        Check("/mobile/users makes two backend calls, and no more", USERS) {
            mustCall(2, "$USERS/7?ms=0&from=upstream")
        },
    )
    strategies.forEach { strategy ->
        val endpoint = "/fanout/$strategy"
        add(
            Check("$endpoint makes as many backend calls as requested, and no more", endpoint) {
                mustCall(1, "$endpoint/0?calls=1&n=1")
                mustCall(3, "$endpoint/0?calls=3&n=2")
            },
        )
    }
}

/** Repeats the request, and also counts calls that follow the answer. */
private fun ContractClient.mustCall(expected: Int, path: String) {
    val before = counters.calls() ?: return
    repeat(REQUESTS) { get(path).mustHaveStatus(200) }
    Thread.sleep(LATE_CALL_MILLIS)
    val calls = checkNotNull(counters.calls()) - before
    if (calls != expected.toLong() * REQUESTS) {
        throw ContractViolation(
            "GET $path: expected ${expected * REQUESTS} backend calls for $REQUESTS requests, got $calls",
        )
    }
}

private const val REQUESTS = 3

/** Longer than a call on the same machine takes that is sent together with the answer. */
private const val LATE_CALL_MILLIS = 20L
