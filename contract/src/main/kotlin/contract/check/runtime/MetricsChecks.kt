package threadgauge.contract.check.runtime

import threadgauge.contract.check.Check
import threadgauge.contract.client.Answer

internal val metricsChecks: List<Check> = listOf(
    Check("/metrics shows the JVM as Prometheus text", "/metrics") {
        val answer = get("/metrics").mustHaveStatus(200).mustBeOfType("text/plain")
        answer.must(JVM.containsMatchIn(answer.text)) {
            "expected metrics that begin with jvm_, got ${Answer.quoted(answer.text)}"
        }
    },
)

/**
 * Number of answers to `/hello` that a scrape of `/metrics` reports. A timer costs time at each request, so a stack has
 * one only with the option for it. Zero without a timer.
 */
fun recordedHellos(metrics: String): Long =
    RECORDED.findAll(metrics).sumOf { it.groupValues[1].toDouble().toLong() }

private val JVM = Regex("^jvm_", RegexOption.MULTILINE)

/** The label that holds the path has another name on each stack: `uri`, `route`. */
private val RECORDED =
    Regex("""^http_server_requests_seconds_count\{[^}]*="/hello"[^}]*} ([0-9.eE+]+)""", RegexOption.MULTILINE)
