package threadgauge.experiment.load

import java.nio.file.Path
import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.Parsed
import threadgauge.experiment.yaml.Quantity
import threadgauge.experiment.yaml.TextPosition
import threadgauge.experiment.yaml.YamlNode
import threadgauge.experiment.yaml.YamlScalar
import threadgauge.experiment.yaml.quoted
import threadgauge.experiment.yaml.scalar
import threadgauge.model.LatencyGoal
import threadgauge.model.LatencyMeasure
import threadgauge.model.Slo
import threadgauge.model.SloGoal

/**
 * Reads goals such as `p99<100ms, errors<0.1%`. `<=` means the same as `<`, because measurements are not that exact.
 * Throws [ExperimentMistakes] with all mistakes and their positions in [text]. [source] is the name of the source of
 * the text: `--slo`, whose search for the knee has no goal for throughput, or `--goals`.
 */
fun readSlo(text: String, source: String = KNEE): Slo {
    val context = ParseContext(source, text, Path.of(""))
    val slo = SloText(context, text, ofKnee = source == KNEE) { TextPosition(1, text.column(it)) }.read()
    context.throwMistakes()
    return slo
}

/** The same in a file. Null with mistakes. */
internal fun ParseContext.goals(node: YamlNode): Slo? {
    val text = scalar(node, "goals", "goals: \"$EXAMPLE\"") ?: return null
    val before = mistakeCount
    val first = node.place.column + if ((node as YamlScalar).quoted) 1 else 0
    val line = lines[node.place.line - 1]
    val start = line.offsetByCodePoints(0, minOf(first - 1, line.codePointCount(0, line.length)))
    // A text with escapes, or over several lines, is not in the file as it was read.
    val isVerbatim = line.startsWith(text, start)
    val slo = SloText(this, text, ofKnee = false) { offset ->
        if (isVerbatim) TextPosition(node.place.line, first - 1 + text.column(offset)) else node.place
    }.read()
    return slo.takeIf { mistakeCount == before }
}

/** Goals as they were written. [place] is the position of an offset in [text]. */
private class SloText(
    private val context: ParseContext,
    private val text: String,
    private val ofKnee: Boolean,
    private val place: (Int) -> TextPosition,
) {
    private val known = if (ofKnee) KNOWN - THROUGHPUT else KNOWN

    fun read(): Slo {
        val latencies = ArrayList<LatencyGoal>()
        val ofSteps = ArrayList<SloGoal.OfStep>()
        val seen = HashSet<String>()
        var errors: Double? = null
        var perSecond: Double? = null
        var offset = 0
        for (part in text.split(',')) {
            val place = place(offset + part.length - part.trimStart().length)
            offset += part.length + 1
            val ofStep = OF_STEP.matchEntire(part.trim())
            val goal = goal(ofStep?.groupValues?.get(2) ?: part.trim(), place) ?: continue
            if (ofStep != null) {
                ofStep(ofStep.groupValues[1], goal, place, seen)?.let(ofSteps::add)
                continue
            }
            when {
                !seen.add(goal.measure) ->
                    context.wrong(place, "${quoted(goal.measure)} is limited twice", "Keep one of them.")
                goal.measure == ERRORS -> errors = share(goal, place)
                goal.measure == THROUGHPUT ->
                    perSecond = limit(goal, place, Quantity.rate.parseWithin(goal.limit, "1/h", "1000000000/s"))
                else -> limit(goal, place, Quantity.duration.parseWithin(goal.limit, "1us", "1h"))
                    ?.let { latencies += LatencyGoal(MEASURES.getValue(goal.measure), it / 1e3) }
            }
        }
        return Slo(latencies, errors, perSecond, ofSteps)
    }

    /** A goal of [part], a scenario or one of its steps: "buy.pay p95<500ms". */
    private fun ofStep(part: String, goal: Goal, place: TextPosition, seen: MutableSet<String>): SloGoal.OfStep? {
        val demand = when {
            ofKnee -> return wrong(place, "a search for the knee has no steps", "Leave ${quoted(part)} out.")
            !seen.add("$part ${goal.measure}") ->
                return wrong(place, "${quoted("$part ${goal.measure}")} is limited twice", "Keep one of them.")
            goal.measure == THROUGHPUT ->
                return wrong(place, "a step has no goal of throughput", "Write $part p95<500ms, for example.")
            goal.measure == ERRORS -> share(goal, place)?.let(SloGoal::Errors)
            else -> limit(goal, place, Quantity.duration.parseWithin(goal.limit, "1us", "1h"))
                ?.let { SloGoal.Latency(MEASURES.getValue(goal.measure), it / 1e3) }
        }
        val step = part.substringAfter('.', "").trim().ifEmpty { null }
        return demand?.let { SloGoal.OfStep(part.substringBefore('.').trim(), step, it) }
    }

    private fun goal(part: String, place: TextPosition): Goal? {
        if (part.isEmpty()) {
            return wrong(place, "a goal is missing here", "Write goals with commas between them: $EXAMPLE.")
        }
        val match = GOAL.matchEntire(part)
            ?: return wrong(place, "${quoted(part)} is not a goal", "Write a measure, < and a limit: $EXAMPLE.")
        val (written, sign, limit) = match.destructured
        val measure = written.lowercase().let { SPELLINGS[it] ?: it }
        val isLeast = '>' in sign || '≥' in sign
        return when {
            measure == THROUGHPUT && ofKnee -> wrong(
                place, "throughput is no goal of a search for the knee", "Leave it out: it is what is searched for.",
            )
            measure !in known ->
                wrong(place, "there is no measure ${quoted(written)}", context.nearest(written, known))
            isLeast && measure != THROUGHPUT -> wrong(
                place, "${quoted(part)} is not a goal",
                "Write a measure, < and a limit: $EXAMPLE. An SLO says what must not be passed, so the sign is <.",
            )
            !isLeast && measure == THROUGHPUT ->
                wrong(place, "${quoted(part)} is not a goal", "More is better, so the sign is >: throughput>200/s.")
            else -> Goal(measure, limit.trim(), orEqual = sign.length > 1 || sign in "≤≥")
        }
    }

    private fun share(goal: Goal, place: TextPosition): Double? {
        val share = limit(goal, place, Quantity.percent.parseWithin(goal.limit, "0%", "100%")) ?: return null
        if (share > 0 || goal.orEqual) return share
        val remedy = "Write errors<=0% if there must be none."
        return limit(goal, place, Parsed.Bad("fewer errors than none are not possible", remedy))
    }

    private fun limit(goal: Goal, place: TextPosition, parsed: Parsed<Double>): Double? = when (parsed) {
        is Parsed.Good -> parsed.value
        is Parsed.Bad -> wrong(place, "the limit of ${goal.measure}: ${parsed.problem}", parsed.remedy)
    }

    private fun wrong(place: TextPosition, problem: String, remedy: String): Nothing? {
        context.wrong(place, problem, remedy)
        return null
    }
}

private class Goal(val measure: String, val limit: String, val orEqual: Boolean)

/** Position in characters as users count them, from 1. */
private fun String.column(offset: Int) = codePointCount(0, offset.coerceAtMost(length)) + 1

private const val KNEE = "--slo"
private const val ERRORS = "errors"
private const val THROUGHPUT = "throughput"
private val MEASURES = LatencyMeasure.entries.associateBy { it.id }
private val KNOWN = MEASURES.keys + ERRORS + THROUGHPUT
private val SPELLINGS = mapOf(
    "error" to ERRORS, "failures" to ERRORS, "p999" to "p99.9", "median" to "p50", "avg" to "mean", "average" to "mean",
    "maximum" to "max",
)
private val GOAL = Regex("""([A-Za-z][\w.]{0,20})\s*(<=|=<|≤|<|>=|=>|≥|>)\s*([^<>=]+)""")

/** A scenario or a step, a blank, and a goal. */
private val OF_STEP = Regex("""(\S.*?)\s+([A-Za-z][\w.]{0,20}\s*[<>≤≥=].*)""")
private const val EXAMPLE = "p99<100ms, errors<0.1%"
