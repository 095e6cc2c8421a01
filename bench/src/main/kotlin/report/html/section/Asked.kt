package threadgauge.report.html.section

import kotlinx.html.FlowContent
import kotlinx.html.code
import kotlinx.html.details
import kotlinx.html.p
import kotlinx.html.pre
import kotlinx.html.summary
import threadgauge.model.SaleTerms
import threadgauge.model.Situation
import threadgauge.model.request.Expectation
import threadgauge.model.request.Request
import threadgauge.model.request.Scenario
import threadgauge.model.request.words
import threadgauge.model.words
import threadgauge.report.format.count
import threadgauge.report.format.number
import threadgauge.report.format.plainPercent

/** The load and the use of connections, in one line. */
internal fun arrival(situation: Situation): String =
    listOf(situation.load.words(), situation.connections.words(), situation.sale?.words().orEmpty())
        .filter { it.isNotEmpty() }.joinToString(", ")

/** "500 seats on sale at each of 20 events, 50 % of the requests for the first" */
private fun SaleTerms.words(): String {
    val each = if (seats == 0) "no seats on sale" else "${count(seats, "seat")} on sale"
    if (events == 1) return each
    val asked = hot?.let { "${plainPercent(it)} of the requests for the first" } ?: "requested equally"
    return "$each at each of ${number(events)} events, $asked"
}

/** The whole of a situation in one line. */
internal fun asked(situation: Situation): String =
    "${situation.shares() ?: situation.request.words()}, ${arrival(situation)}"

/** "browse 70 %, buy 30 %", or null where there are no scenarios. */
internal fun Situation.shares(): String? {
    if (scenarios.size < 2) return scenarios.singleOrNull()?.name
    val all = scenarios.sumOf { it.weight }
    return scenarios.joinToString { "${it.name} ${plainPercent(it.weight / all)}" }
}

/** The whole request, where it has more than its first line, or the steps of all scenarios. */
internal fun FlowContent.requestDetails(situation: Situation) {
    if (situation.scenarios.isNotEmpty()) return courses(situation)
    val request = situation.request
    val correct = request.expect.words()
    if (request.headers.isEmpty() && request.body == null && correct.isEmpty()) return
    details {
        summary { +"Request and correct answer" }
        pre {
            attributes["tabindex"] = "0"
            attributes["role"] = "region"
            attributes["aria-label"] = "Request of ${situation.name}"
            code { +text(request) }
        }
        if (correct.isNotEmpty()) p("asked") { +"A correct answer has ${correct.joinToString(", and ")}." }
    }
}

private fun FlowContent.courses(situation: Situation) = details {
    summary { +"Steps of each scenario" }
    pre {
        attributes["tabindex"] = "0"
        attributes["role"] = "region"
        attributes["aria-label"] = "Steps of ${situation.name}"
        code { +situation.scenarios.joinToString("\n\n") { course(it) } }
    }
}

private fun course(scenario: Scenario): String = scenario.course.map { scenario.steps[it] }
    .joinToString("\n", "${scenario.name}:\n") { step ->
        val line = "${step.request.method} ${step.request.path}"
        val named = if (step.name == line) line else "${step.name}: $line"
        "  $named${step.think.words()}"
    }

private fun text(request: Request): String {
    val head = listOf("${request.method} ${request.path}") + request.headers.map { (name, value) -> "$name: $value" }
    val body = request.body ?: return head.joinToString("\n")
    val shown = if (body.length > MAX_LENGTH) body.take(MAX_LENGTH) + "…" else body
    return head.joinToString("\n") + "\n\n" + shown
}

private fun Expectation.words(): List<String> = listOfNotNull(
    "status ${statuses.joinToString(" or ")}".takeIf { statuses.isNotEmpty() },
    body?.let { "the body “${it.take(MAX_LENGTH)}”" },
    contains?.let { "“${it.take(MAX_LENGTH)}” in its body" },
) + json.map { (path, value) -> "“$value” in its field $path" }

private const val MAX_LENGTH = 2_000
