package threadgauge.contract.check.backend

import threadgauge.contract.check.Check
import threadgauge.contract.check.mustNotOverlapAtBackend
import threadgauge.contract.check.mustOverlapAtBackend
import threadgauge.contract.check.mustOverlapInside
import threadgauge.contract.check.protocol.mustBeProblem
import threadgauge.contract.check.protocol.mustReject
import threadgauge.contract.check.work.MAX_MILLIS
import threadgauge.contract.client.Answer
import threadgauge.contract.client.ContractClient

/** Two concurrent calls of a slow backend, which is a process beside the stack. */
internal val userPageChecks: List<Check> = listOf(
    Check("/mobile/users returns the user and the orders", USERS) {
        for (from in sources) for (id in listOf(1, MAX_ID)) get("$USERS/$id?ms=0$from").mustBeJson(userPage(id))
    },
    Check("/mobile/users fetches the user and the orders concurrently, every time", USERS) {
        fun page(millis: Int, from: String) =
            get("$USERS/7?ms=$millis$from").mustBeJson(userPage(7)).mustTakeAtLeast(millis)
        mustOverlapInside(2, PART_MILLIS) { page(it, WITHIN) }
        mustOverlapAtBackend(2, PART_MILLIS) { page(it, UPSTREAM) }
        // Repeated, because an answer from a cache would arrive too early.
        for (from in sources) page(PART_MILLIS, from)
    },
    Check("/mobile/users rejects any id but a whole number from 1 to $MAX_ID", USERS) {
        mustReject("id", 1, MAX_ID) { "$USERS/$it?ms=0" }
    },
    Check("/mobile/users rejects any time but a whole number from 0 to $MAX_MILLIS", USERS) {
        mustReject("ms", 0, MAX_MILLIS) { "$USERS/7?ms=$it" }
        get("$USERS/7?ms=0&ms=0").mustBeProblem(400, "Bad Request", "ms must be a whole number from 0 to $MAX_MILLIS")
    },
    Check("/mobile/users rejects any source of the parts but the upstream", USERS) {
        listOf("", "Upstream", "elsewhere").forEach {
            get("$USERS/7?ms=0&from=$it").mustBeProblem(400, "Bad Request", "from must be upstream, or be left out")
        }
    },
)

/** Whether calls wait concurrently: on ten threads, or on one as well. Only waits that hold no thread do so on one. */
private enum class Overlap { NEVER, ON_TEN_THREADS, ALWAYS }

private val overlapOfStrategies = mapOf(
    "sequential" to Overlap.NEVER,
    "executor" to Overlap.ON_TEN_THREADS,
    "coroutine" to Overlap.ON_TEN_THREADS,
    "coroutine-leak" to Overlap.ON_TEN_THREADS,
    "webclient" to Overlap.ALWAYS,
    "webclient-coroutine" to Overlap.ALWAYS,
    "virtual" to Overlap.ALWAYS,
)

/** The ways in which `/fanout/{strategy}/{ms}` calls the backend. */
val strategies: Set<String> = overlapOfStrategies.keys

internal val fanOutChecks: List<Check> = buildList {
    overlapOfStrategies.forEach { (strategy, overlap) ->
        val endpoint = "/fanout/$strategy"
        // An endpoint of its own for each strategy: a run that does not measure the leak must not cause one.
        add(
            Check("$endpoint returns the results of all calls, in their order", endpoint) {
                get("$endpoint/0").mustBePlainText().mustHaveBody(results(CALLS))
                get("$endpoint/0?calls=3&n=2").mustBePlainText().mustHaveBody(results(3))
            },
        )
        val how = if (overlap == Overlap.NEVER) "one after the other" else "concurrently, as far as its threads allow"
        add(Check("$endpoint makes its calls $how", endpoint) { mustOverlapAs(overlap, endpoint) })
    }
    add(
        Check("/fanout rejects an unknown strategy", "/fanout") {
            val detail = "strategy must be one of ${strategies.joinToString()}"
            listOf("parallel", "Virtual").forEach { get("/fanout/$it/0").mustBeProblem(400, "Bad Request", detail) }
        },
    )
    add(
        Check("/fanout rejects numbers that are malformed or out of range", "/fanout") {
            mustReject("ms", 0, MAX_MILLIS) { "/fanout/sequential/$it" }
            mustReject("calls", 1, MAX_CALLS) { "/fanout/sequential/0?calls=$it" }
            mustReject("n", 1, MAX_THREADS) { "/fanout/sequential/0?n=$it" }
        },
    )
}

private fun ContractClient.mustOverlapAs(overlap: Overlap, endpoint: String) {
    fun fanOut(threads: Int, millis: Int = CALL_MILLIS) = get("$endpoint/$millis?calls=$CALLS&n=$threads")
        .mustBePlainText().mustHaveBody(results(CALLS)).mustTakeAtLeast(millis)
    val sum = CALLS * CALL_MILLIS
    if (overlap == Overlap.ALWAYS) mustOverlapAtBackend(CALLS, CALL_MILLIS) { fanOut(1, it) }
    else mustNotOverlapAtBackend { fanOut(1).mustTakeAtLeast(sum) }
    if (overlap == Overlap.NEVER) mustNotOverlapAtBackend { fanOut(10).mustTakeAtLeast(sum) }
    else mustOverlapAtBackend(CALLS, CALL_MILLIS) { fanOut(10, it) }
}

private fun Answer.mustBeJson(body: String) = mustHaveStatus(200).mustBeOfType("application/json").mustHaveBody(body)

internal const val USERS = "/mobile/users"

/** The parts of a page come from within the process. */
private const val WITHIN = ""
private const val UPSTREAM = "&from=upstream"
private val sources = listOf(WITHIN, UPSTREAM)

private const val PART_MILLIS = 100
private const val CALLS = 10
private const val CALL_MILLIS = 25
