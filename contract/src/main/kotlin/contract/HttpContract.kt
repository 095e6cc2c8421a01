package threadgauge.contract

import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource
import threadgauge.contract.check.Check
import threadgauge.contract.check.article.articleChecks
import threadgauge.contract.check.article.expectedArticles
import threadgauge.contract.check.article.extraStatementChecks
import threadgauge.contract.check.backend.expectedOfBackends
import threadgauge.contract.check.backend.extraCallChecks
import threadgauge.contract.check.backend.fanOutChecks
import threadgauge.contract.check.backend.userPageChecks
import threadgauge.contract.check.customer.customerChecks
import threadgauge.contract.check.page.expectedPage
import threadgauge.contract.check.protocol.mistakeChecks
import threadgauge.contract.check.protocol.wholeAnswerChecks
import threadgauge.contract.check.runtime.metricsChecks
import threadgauge.contract.check.runtime.runtimeChecks
import threadgauge.contract.check.work.HELLO
import threadgauge.contract.check.work.LENGTH_MOST
import threadgauge.contract.check.work.MILLIS_MOST
import threadgauge.contract.check.work.referenceString
import threadgauge.contract.check.work.togetherChecks
import threadgauge.contract.check.work.waits
import threadgauge.contract.check.work.workChecks
import threadgauge.contract.client.Access
import threadgauge.contract.client.Beside
import threadgauge.contract.client.Visit

/**
 * What every stack must answer, so that stacks do equal work. The rules are data: each [Check] is a sentence and the
 * way to find out. A test suite runs them one by one ([StackContract]); the bench runs them against each fresh
 * process, and does not measure one that breaks a rule.
 */
object HttpContract {
    /** In the order in which they are made: the cheapest first, so that a dead server is found at once. */
    val checks: List<Check> get() = plainChecks + moreChecks + backendChecks + databaseChecks

    /** What every stack serves in every edition. */
    val plainChecks: List<Check> = workChecks + runtimeChecks + togetherChecks + metricsChecks + mistakeChecks + wholeAnswerChecks

    /** What stacks serve in their fuller edition, with nothing beside them. */
    val moreChecks: List<Check> = customerChecks

    /** What stacks serve in their fuller edition, with a backend beside them. */
    val backendChecks: List<Check> = userPageChecks + fanOutChecks + extraCallChecks

    /** What stacks serve in their fuller edition, with a database beside them. */
    val databaseChecks: List<Check> = articleChecks + extraStatementChecks

    /**
     * Makes the checks against the server of [access] and says which rules it broke: what was asked, what was expected,
     * what came. Empty means that the server keeps the contract.
     *
     * About 70 requests, one after the other, none heavier than a string of 100,000 characters or as many bytes of headers: 0.4 s
     * against a warm server on one core, 1.5 s against one that just started. Where waiting is asked for, up to 65 at a time that wait
     * for 25 or 100 ms, 350 ms in all. Articles, where they are asked for, are 30 requests
     * more; the longest answers are 230 kB. Customers are 55 requests more. A server that does not answer is a violation, not a
     * wait: after the first request unanswered, or once three times [patience] have passed, the remaining checks are left out, and
     * the last sentence says so.
     *
     * @param stack the name by which the server must call itself
     * @param model the model it must have, as the name in the enum: `PLATFORM_THREADS`, `VIRTUAL_THREADS`,
     *   `EVENT_LOOP` or `COROUTINES`
     * @param paths what will be asked, such as `/delay/100`; only what concerns these paths is checked, and what concerns
     *   `/hello` and `/runtime`. Null means all checks.
     * @param patience the longest that one answer may take; long enough for the first of a kind, which loads and compiles what it needs,
     *   in a process that shares its core with three more
     * @param beside what counts the calls and statements that the server makes
     */
    fun violations(
        access: Access,
        stack: String,
        model: String,
        paths: Set<String>? = null,
        patience: Duration = 20.seconds,
        beside: Beside = Beside.NOTHING,
    ): List<String> = Visit(access, stack, model, patience, beside).use { visit ->
        val chosen = checks.filter { check -> paths == null || check.endpoint in ALWAYS || paths.any(check::concerns) }
        val end = TimeSource.Monotonic.markNow() + patience * 3
        val broken = mutableListOf<String>()
        chosen.forEachIndexed { made, check ->
            val violation = check.violation(visit) ?: return@forEachIndexed
            broken += violation
            val left = chosen.size - made - 1
            if (left > 0 && (!visit.wasAnswered || end.hasPassedNow())) {
                return broken + "$left further checks were left out, because the server does not answer in time"
            }
        }
        broken
    }

    /**
     * The exact body of a correct answer to `GET` [path], for the bench to compare every answer with. A query is ignored
     * where the endpoint has none. Null where the body is not fixed (`/runtime`, `/metrics`) and where the answer is not 200.
     */
    fun expectedBody(path: String): ByteArray? {
        expectedArticles(path)?.let { return it.toByteArray() }
        val plain = path.substringBefore('?')
        if (plain == "/hello") return HELLO.toByteArray()
        expectedOfBackends(path)?.let { return it.toByteArray() }
        expectedPage(path)?.let { return it.toByteArray() }
        val (endpoint, digits) = NUMBERED.matchEntire(plain)?.destructured ?: return null
        val number = digits.toIntOrNull() ?: return null
        return when {
            endpoint in waits && number <= MILLIS_MOST -> "${waits[endpoint]} $number"
            endpoint !in waits && number <= LENGTH_MOST -> referenceString(number)
            else -> null
        }?.toByteArray()
    }

    private val ALWAYS = setOf("/hello", "/runtime")
    private val NUMBERED = Regex("(/delay|/block|/offload|/api/random/string)/([0-9]+)")
}
