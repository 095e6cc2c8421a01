package threadgauge.contract.check.backend

import threadgauge.contract.check.Check
import threadgauge.contract.check.mustJoin
import threadgauge.contract.check.protocol.mustBeProblem
import threadgauge.contract.check.protocol.noNumbers
import threadgauge.contract.check.work.MILLIS_MOST
import threadgauge.contract.client.Answer
import threadgauge.contract.client.Visit

/** What calls a slow backend: the right answers, and waits that are joined as they should be. The backend runs beside the stack. */
internal val userPageChecks: List<Check> = listOf(
    Check("/mobile/users answers with the user and the orders", USERS) {
        for (from in sources) for (id in listOf(1, ID_MOST)) get("$USERS/$id?ms=0$from").mustBeJson(userPage(id))
    },
    Check("/mobile/users waits for the user and the orders at the same time, every time", USERS) {
        for (from in sources) {
            fun ask(millis: Int) = get("$USERS/7?ms=$millis$from").mustBeJson(userPage(7)).mustTakeAtLeast(millis)
            mustJoin(2, PART_MILLIS) { ask(it) }
            // Once more: an answer from a cache would come too early.
            ask(PART_MILLIS)
        }
    },
    Check("/mobile/users refuses an id that is not a whole number from 1 to $ID_MOST", USERS) {
        refused("id", 1, ID_MOST) { "$USERS/$it?ms=0" }
    },
    Check("/mobile/users refuses a time that is not a whole number from 0 to $MILLIS_MOST", USERS) {
        refused("ms", 0, MILLIS_MOST) { "$USERS/7?ms=$it" }
        get("$USERS/7?ms=0&ms=0").mustBeProblem(400, "Bad Request", "ms must be a whole number from 0 to $MILLIS_MOST")
    },
    Check("/mobile/users refuses to get the parts from anywhere but the upstream", USERS) {
        listOf("", "Upstream", "elsewhere").forEach {
            get("$USERS/7?ms=0&from=$it").mustBeProblem(400, "Bad Request", "from must be upstream, or be left out")
        }
    },
)

/**
 * Whether calls wait at the same time: where they have ten threads, and where they have one. Only what holds no thread
 * is as fast on one.
 */
private enum class Waits { NEVER, ON_TEN_THREADS, ALWAYS }

private val waitsOfStrategies = mapOf(
    "sequential" to Waits.NEVER,
    "executor" to Waits.ON_TEN_THREADS,
    "coroutine" to Waits.ON_TEN_THREADS,
    "coroutine-leak" to Waits.ON_TEN_THREADS,
    "webclient" to Waits.ALWAYS,
    "webclient-coroutine" to Waits.ALWAYS,
    "virtual" to Waits.ALWAYS,
)

val strategies: Set<String> = waitsOfStrategies.keys

internal val fanOutChecks: List<Check> = buildList {
    waitsOfStrategies.forEach { (strategy, waits) ->
        val endpoint = "/fanout/$strategy"
        // An endpoint of its own for each strategy, so that a run that does not ask for the leak is not given one.
        add(
            Check("$endpoint answers with the results of all calls, in their order", endpoint) {
                get("$endpoint/0").mustBePlainText().mustHaveBody(results(CALLS))
                get("$endpoint/0?calls=3&n=2").mustBePlainText().mustHaveBody(results(3))
            },
        )
        val asThey = if (waits == Waits.NEVER) "one after the other" else "at the same time, as far as its threads allow"
        add(
            Check("$endpoint makes its calls $asThey", endpoint) {
                fun ask(threads: Int, millis: Int = CALL_MILLIS) = get("$endpoint/$millis?calls=$CALLS&n=$threads")
                    .mustBePlainText().mustHaveBody(results(CALLS)).mustTakeAtLeast(millis)
                val sum = CALLS * CALL_MILLIS
                if (waits == Waits.ALWAYS) mustJoin(CALLS, CALL_MILLIS) { ask(1, it) } else ask(1).mustTakeAtLeast(sum)
                if (waits == Waits.NEVER) ask(10).mustTakeAtLeast(sum) else mustJoin(CALLS, CALL_MILLIS) { ask(10, it) }
            },
        )
    }
    add(
        Check("/fanout refuses a strategy that it does not know", "/fanout") {
            val detail = "strategy must be one of ${strategies.joinToString()}"
            listOf("parallel", "Virtual").forEach { get("/fanout/$it/0").mustBeProblem(400, "Bad Request", detail) }
        },
    )
    add(
        Check("/fanout refuses numbers that are none or too great", "/fanout") {
            refused("ms", 0, MILLIS_MOST) { "/fanout/sequential/$it" }
            refused("calls", 1, CALLS_MOST) { "/fanout/sequential/0?calls=$it" }
            refused("n", 1, THREADS_MOST) { "/fanout/sequential/0?n=$it" }
        },
    )
}

private fun Answer.mustBeJson(body: String) = mustHaveStatus(200).mustBeOfType("application/json").mustHaveBody(body)

private fun Visit.refused(name: String, least: Int, most: Int, path: (String) -> String) {
    val detail = "$name must be a whole number from $least to $most"
    (noNumbers + listOf("${least - 1}", "${most + 1}")).forEach { get(path(it)).mustBeProblem(400, "Bad Request", detail) }
}

internal const val USERS = "/mobile/users"

/** In the process, and from the upstream. */
private val sources = listOf("", "&from=upstream")

private const val PART_MILLIS = 100
private const val CALLS = 10
private const val CALL_MILLIS = 25
