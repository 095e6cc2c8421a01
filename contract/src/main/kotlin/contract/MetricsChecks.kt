package threadgauge.contract

import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/** Metrics cost time at each request, so a stack that does not really keep them would have an unfair advantage. */
internal val metricsChecks: List<Check> = listOf(
    Check("/metrics shows the JVM as Prometheus text", "/metrics") {
        val answer = get("/metrics").mustHaveStatus(200).mustBeOfType("text/plain")
        answer.must(JVM.containsMatchIn(answer.text)) {
            "expected metrics that begin with jvm_, got ${Answer.quoted(answer.text)}"
        }
    },
    Check("every request is recorded in http_server_requests", "/metrics") {
        val before = recordedHellos()
        repeat(HELLOS) { get("/hello").mustHaveStatus(200) }
        val expected = before + HELLOS
        // A server may record a request after it has sent the answer.
        val end = TimeSource.Monotonic.markNow() + minOf(patience, 1.seconds)
        while (recordedHellos() < expected && end.hasNotPassedNow()) Thread.sleep(10)
        val after = recordedHellos()
        if (after < expected) {
            throw Broken(
                "GET /metrics: expected http_server_requests_seconds_count for /hello to rise from $before to at least " +
                    "$expected after $HELLOS requests, got $after",
            )
        }
    },
)

/** More than one, so that a server that records only some of them is found. */
private const val HELLOS = 5

private fun Visit.recordedHellos(): Long =
    RECORDED.findAll(get("/metrics").mustHaveStatus(200).text).sumOf { it.groupValues[1].toDouble().toLong() }

private val JVM = Regex("^jvm_", RegexOption.MULTILINE)

/** The label that holds the path has another name on each stack: `uri`, `route`. */
private val RECORDED = Regex("""^http_server_requests_seconds_count\{[^}]*="/hello"[^}]*} ([0-9.eE+]+)""", RegexOption.MULTILINE)
