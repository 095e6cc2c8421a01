package threadgauge.contract.check.backend

import threadgauge.contract.check.Check
import threadgauge.contract.client.Broken
import threadgauge.contract.client.Visit

/**
 * Work that nobody asked for, where it can be seen from outside: calls of the backend, statements at the database. What is sent beyond
 * the answer is found by [Answer] and by [wholeAnswerChecks]. Not the server's own word, and none of its time: a fresh process compiles,
 * and what frameworks honestly need for the same request differs by factors, so no time tells extra work from a slow framework.
 */
internal val extraCallChecks: List<Check> = buildList {
    add(
        Check("what needs no backend calls none", USERS) {
            mustCall(0, "/hello")
            mustCall(0, "$USERS/7?ms=0")
        },
    )
    add(Check("/mobile/users calls the backend twice, and no more", USERS) { mustCall(2, "$USERS/7?ms=0&from=upstream") })
    strategies.forEach { strategy ->
        val endpoint = "/fanout/$strategy"
        add(
            Check("$endpoint makes as many calls of the backend as it was told, and no more", endpoint) {
                mustCall(1, "$endpoint/0?calls=1&n=1")
                mustCall(3, "$endpoint/0?calls=3&n=2")
            },
        )
    }
}

/** The same request several times, with calls that come after the answer counted too. */
private fun Visit.mustCall(expected: Int, path: String) {
    val before = beside.calls() ?: return
    repeat(ASKED) { get(path).mustHaveStatus(200) }
    Thread.sleep(AFTERTHOUGHT_MILLIS)
    val calls = checkNotNull(beside.calls()) - before
    if (calls != expected.toLong() * ASKED) {
        throw Broken("GET $path: expected ${expected * ASKED} calls of the backend for $ASKED requests, got $calls")
    }
}

private const val ASKED = 3

/** More than a call to the same machine takes that leaves when the answer does. */
private const val AFTERTHOUGHT_MILLIS = 20L
