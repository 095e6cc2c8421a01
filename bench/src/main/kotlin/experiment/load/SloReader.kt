package threadgauge.experiment.load

import java.nio.file.Path
import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.Parsed
import threadgauge.experiment.yaml.Quantity
import threadgauge.experiment.yaml.TextPosition
import threadgauge.experiment.yaml.quoted
import threadgauge.model.LatencyGoal
import threadgauge.model.LatencyMeasure
import threadgauge.model.Slo

/**
 * Reads goals such as `p99<100ms, errors<0.1%`. `<=` means the same as `<`, because measurements are not that exact.
 * Throws [ExperimentMistakes] with all mistakes and their positions in [text]. [source] is the name of the source of
 * the text: `--slo`.
 */
fun readSlo(text: String, source: String = "--slo"): Slo {
    val context = ParseContext(source, text, Path.of(""))
    val slo = context.slo()
    context.throwMistakes()
    return slo
}

private fun ParseContext.slo(): Slo {
    val latencies = ArrayList<LatencyGoal>()
    val seen = HashSet<String>()
    var errors: Double? = null
    var offset = 0
    for (part in text.split(',')) {
        val place = TextPosition(1, column(offset + part.length - part.trimStart().length))
        offset += part.length + 1
        val goal = goal(part.trim(), place) ?: continue
        if (!seen.add(goal.measure)) {
            wrong(place, "${quoted(goal.measure)} is limited twice", "Keep one of them.")
        } else if (goal.measure == ERRORS) {
            errors = share(goal, place)
        } else {
            micros(goal, place)?.let { latencies += LatencyGoal(MEASURES.getValue(goal.measure), it) }
        }
    }
    return Slo(latencies, errors)
}

private class Goal(val measure: String, val limit: String, val orEqual: Boolean)

private fun ParseContext.goal(part: String, place: TextPosition): Goal? {
    if (part.isEmpty()) {
        wrong(place, "a goal is missing here", "Write goals with commas between them: $EXAMPLE.")
        return null
    }
    val match = GOAL.matchEntire(part)
    if (match == null) {
        val turned = if ('>' in part) " An SLO says what must not be passed, so the sign is <." else ""
        wrong(place, "${quoted(part)} is not a goal", "Write a measure, < and a limit: $EXAMPLE.$turned")
        return null
    }
    val (measure, sign, limit) = match.destructured
    val known = measure.lowercase().let { SPELLINGS[it] ?: it }
    if (known !in KNOWN) {
        wrong(place, "there is no measure ${quoted(measure)}", nearest(measure, KNOWN))
        return null
    }
    return Goal(known, limit.trim(), orEqual = sign != "<")
}

private fun ParseContext.micros(goal: Goal, place: TextPosition): Double? =
    when (val parsed = Quantity.duration.parseWithin(goal.limit, "1us", "1h")) {
        is Parsed.Good -> parsed.value / 1e3
        is Parsed.Bad -> bad(place, goal, parsed)
    }

private fun ParseContext.share(goal: Goal, place: TextPosition): Double? =
    when (val parsed = Quantity.percent.parseWithin(goal.limit, "0%", "100%")) {
        is Parsed.Good -> if (parsed.value > 0 || goal.orEqual) parsed.value else {
            bad(place, goal, Parsed.Bad(
                "fewer errors than none are not possible", "Write errors<=0% if there must be none.",
            ))
        }
        is Parsed.Bad -> bad(place, goal, parsed)
    }

private fun ParseContext.bad(place: TextPosition, goal: Goal, parsed: Parsed.Bad): Double? {
    wrong(place, "the limit of ${goal.measure}: ${parsed.problem}", parsed.remedy)
    return null
}

/** Position in characters as users count them, from 1. */
private fun ParseContext.column(offset: Int) = text.codePointCount(0, offset.coerceAtMost(text.length)) + 1

private const val ERRORS = "errors"
private val MEASURES = LatencyMeasure.entries.associateBy { it.id }
private val KNOWN = MEASURES.keys + ERRORS
private val SPELLINGS = mapOf(
    "error" to ERRORS, "failures" to ERRORS, "p999" to "p99.9", "median" to "p50", "avg" to "mean", "average" to "mean",
    "maximum" to "max",
)
private val GOAL = Regex("""([A-Za-z][\w.]{0,20})\s*(<=|=<|≤|<)\s*([^<>=]+)""")
private const val EXAMPLE = "p99<100ms, errors<0.1%"
