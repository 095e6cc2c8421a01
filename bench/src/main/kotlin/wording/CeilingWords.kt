package threadgauge.wording

import threadgauge.model.judgement.Ceiling
import threadgauge.model.judgement.CeilingCause
import threadgauge.model.judgement.HeldThing
import threadgauge.model.judgement.LeastWait
import threadgauge.model.judgement.LimitedThing
import threadgauge.model.judgement.WaitKind

/** The formula of the ceiling, without its result: "200 handler threads ÷ 100 ms". */
internal val Ceiling.words: String get() = cause.words()

/** The formula and its result: "200 users ÷ 1,000 ms = 200/s". */
internal fun Ceiling.equation(): String = "$words = ${digits(requestsPerSecond)}/s"

private fun CeilingCause.words(): String = when (this) {
    is CeilingCause.Concurrency -> {
        val inPart = if (presence < 1) " × ${digits(1e2 * presence)} % of the load" else ""
        "${amount(count, of)}$inPart ÷ ${time(waits)}"
    }
    is CeilingCause.WholeAnswers ->
        "${amount(count, of)} × ${digits(answers)} whole answers of ${time(waits)} ÷ ${digits(loadSeconds)} s"
    is CeilingCause.Calls -> "${amount(count, of)} ÷ ($calls calls × $millisEach ms)"
    is CeilingCause.Held ->
        "${whole(count.toLong())} ${held(of, name, isOne = count == 1)} ÷ ${digits(millisEach)} ms each"
    is CeilingCause.Processor ->
        "$cores ${if (cores == 1) "core" else "cores"} ÷ ${whole(cpuMicrosPerRequest)} µs of CPU per request"
    CeilingCause.Arrivals -> "arrival rate"
}

private fun amount(count: Int, of: LimitedThing) = "${whole(count.toLong())} ${of.words(isOne = count == 1)}"

private fun LimitedThing.words(isOne: Boolean): String = when (this) {
    LimitedThing.USERS -> if (isOne) "user" else "users"
    LimitedThing.HANDLERS -> if (isOne) "handler thread" else "handler threads"
    LimitedThing.CONNECTIONS -> if (isOne) "connection" else "connections"
    LimitedThing.THREADS_FOR_CALLS -> if (isOne) "client thread" else "client threads"
    LimitedThing.CLIENT_CONNECTIONS -> if (isOne) "client connection" else "client connections"
}

private fun held(of: HeldThing, name: String?, isOne: Boolean): String = when (of) {
    HeldThing.POOLED_CONNECTIONS -> (if (isOne) "connection" else "connections") + name?.let { " of $it" }.orEmpty()
    HeldThing.REQUEST_THREADS -> if (isOne) "request thread" else "request threads"
    HeldThing.TASK_THREADS -> (if (isOne) "thread" else "threads") + name?.let { " of $it" }.orEmpty()
}

private fun time(waits: List<LeastWait>): String {
    val sum = waits.joinToString(" + ") { it.words() }
    return if (waits.size == 1) sum else "($sum)"
}

private fun LeastWait.words(): String = when (kind) {
    WaitKind.SERVICE -> "${millis.toLong()} ms"
    WaitKind.THINKING -> "${whole(millis)} ms think time"
    WaitKind.NETWORK -> "${digits(millis)} ms network delay"
}
