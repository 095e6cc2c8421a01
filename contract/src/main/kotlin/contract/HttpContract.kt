package threadgauge.contract

import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource
import threadgauge.contract.check.Check
import threadgauge.contract.check.article.articleChecks
import threadgauge.contract.check.article.expectedArticles
import threadgauge.contract.check.article.extraStatementChecks
import threadgauge.contract.check.backend.expectedBackendBody
import threadgauge.contract.check.backend.extraCallChecks
import threadgauge.contract.check.backend.fanOutChecks
import threadgauge.contract.check.backend.userPageChecks
import threadgauge.contract.check.customer.customerChecks
import threadgauge.contract.check.page.expectedPage
import threadgauge.contract.check.protocol.invalidRequestChecks
import threadgauge.contract.check.protocol.wholeAnswerChecks
import threadgauge.contract.check.runtime.metricsChecks
import threadgauge.contract.check.runtime.runtimeChecks
import threadgauge.contract.check.stream.eventChecks
import threadgauge.contract.check.work.HELLO
import threadgauge.contract.check.work.MAX_LENGTH
import threadgauge.contract.check.work.MAX_MILLIS
import threadgauge.contract.check.work.concurrencyChecks
import threadgauge.contract.check.work.referenceString
import threadgauge.contract.check.work.waits
import threadgauge.contract.check.work.workChecks
import threadgauge.contract.client.Access
import threadgauge.contract.client.ContractClient
import threadgauge.contract.client.DependencyCounters

/**
 * What every stack must answer, so that all stacks do equal work. The rules are data: each [Check] is a sentence and
 * code that verifies it. The test suites of the stacks run the checks one by one. The bench runs them against each
 * fresh process, and does not measure a process that breaks a rule.
 */
object HttpContract {
    /** In the order in which they run: the cheapest first, so that a dead server is found at once. */
    val checks: List<Check> get() = plainChecks + moreChecks + backendChecks + databaseChecks + streamChecks

    /** For every edition of a stack. */
    val plainChecks: List<Check> =
        workChecks + runtimeChecks + concurrencyChecks + metricsChecks + invalidRequestChecks + wholeAnswerChecks

    /** For the fuller edition of a stack, without a dependency. */
    val moreChecks: List<Check> = customerChecks

    /** For the fuller edition of a stack, with a backend. */
    val backendChecks: List<Check> = userPageChecks + fanOutChecks + extraCallChecks

    /** For the fuller edition of a stack that serves streams. */
    val streamChecks: List<Check> = eventChecks

    /** For the fuller edition of a stack, with a database. */
    val databaseChecks: List<Check> = articleChecks + extraStatementChecks

    /**
     * Runs the checks against the server of [access] and returns the violations: what was requested, what was
     * expected, what came. An empty list means that the server keeps the contract.
     *
     * Cost: about 70 requests, one after the other, none heavier than a string of 100,000 characters or as many bytes
     * of headers. They take 0.4 s against a warm server on one core and 1.5 s against one that just started. Checks of
     * waits send up to 65 requests at a time that wait for 50 or 100 ms: 200 ms in all, 150 ms more for each endpoint
     * with a low limit, and longer where the server or the machine is late. Articles are 30 requests more, with answers
     * of up to 230 kB, and customers 55 requests more.
     *
     * A server that does not answer is a violation, and the checks do not wait for it: after the first request without
     * an answer, or once three times [patience] have passed, the remaining checks are left out, and the last sentence
     * reports that.
     *
     * @param stack the name that the server must report
     * @param model the model that the server must report, as the name in the enum: `PLATFORM_THREADS`,
     *   `VIRTUAL_THREADS`, `EVENT_LOOP` or `COROUTINES`
     * @param paths the paths of the load, such as `/delay/100`. Only checks of these paths run, and those of `/hello`
     *   and `/runtime`. Null means all checks.
     * @param patience the longest that one answer may take. Long enough for the first request of a kind, which loads
     *   and compiles classes in a process that shares its core with three more.
     * @param counters count the calls and statements that the server makes
     */
    fun violations(
        access: Access,
        stack: String,
        model: String,
        paths: Set<String>? = null,
        patience: Duration = 20.seconds,
        counters: DependencyCounters = DependencyCounters.NONE,
    ): List<String> = ContractClient(access, stack, model, patience, counters).use { client ->
        val chosen = checks.filter { check -> paths == null || check.endpoint in ALWAYS || paths.any(check::concerns) }
        val end = TimeSource.Monotonic.markNow() + patience * 3
        val violations = mutableListOf<String>()
        chosen.forEachIndexed { index, check ->
            violations += check.violation(client) ?: return@forEachIndexed
            val left = chosen.size - index - 1
            if (left > 0 && (!client.wasAnswered || end.hasPassedNow())) {
                return violations +
                    "$left further checks were left out, because the server does not answer in time"
            }
        }
        violations
    }

    /**
     * The exact body of a correct answer to `GET` [path], with which the bench compares every answer. A query is
     * ignored where the endpoint has none. Null where the body is not fixed (`/runtime`, `/metrics`), and where the
     * status is not 200.
     */
    fun expectedBody(path: String): ByteArray? {
        expectedArticles(path)?.let { return it.toByteArray() }
        val plain = path.substringBefore('?')
        if (plain == "/hello") return HELLO.toByteArray()
        expectedBackendBody(path)?.let { return it.toByteArray() }
        expectedPage(path)?.let { return it.toByteArray() }
        val (endpoint, digits) = NUMBERED.matchEntire(plain)?.destructured ?: return null
        val number = digits.toIntOrNull() ?: return null
        return when {
            endpoint in waits && number <= MAX_MILLIS -> "${waits[endpoint]} $number"
            endpoint !in waits && number <= MAX_LENGTH -> referenceString(number)
            else -> null
        }?.toByteArray()
    }

    private val ALWAYS = setOf("/hello", "/runtime")
    private val NUMBERED = Regex("(/delay|/block|/offload|/api/random/string)/([0-9]+)")
}
