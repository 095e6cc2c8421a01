package threadgauge.wording.cause

import kotlin.math.roundToLong
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.cause.Because
import threadgauge.model.judgement.cause.Holder
import threadgauge.model.judgement.cause.PlaceTrouble
import threadgauge.model.judgement.ranking
import threadgauge.model.profile.ProfileGap
import threadgauge.model.profile.ProfilePart
import threadgauge.wording.digits
import threadgauge.wording.percent
import threadgauge.wording.whole

/** Why the stack is as fast as it is, in one line: "because its one event loop is blocked 97 % of the time …". */
internal val Because.words: String
    get() = if (holder is Holder.Unknown) holder.words() else "because ${holder.words()}"

/** A stack with its [words]. */
internal class BecauseLine(val stack: String, val words: String)

/**
 * The reasons of a situation, in descending order of throughput: of all stacks where they are [max] at most, otherwise
 * of the first and the last. Empty without profiles.
 */
internal fun SituationJudgement.becauseLines(max: Int = Int.MAX_VALUE): List<BecauseLine> {
    val explained = inOrder().mapNotNull { cell ->
        (cell.because?.words ?: cell.noCause?.words)?.let { BecauseLine(cell.stack, it) }
    }
    return if (explained.size <= max) explained else listOf(explained.first(), explained.last())
}

/** As the verdict ranks them, then those that it does not rank. */
private fun SituationJudgement.inOrder(): List<CellJudgement> {
    val order = verdict.ranking?.order.orEmpty()
    return cells.sortedWith(
        compareBy<CellJudgement> { order.indexOf(it.stack).let { at -> if (at < 0) order.size else at } }
            .thenByDescending { it.throughput?.value ?: 0.0 },
    )
}

/** What profiling is, and what it cost: a note below the figures that come from it. */
internal fun Because.note(): String {
    val cost = costShare
    val words = when {
        cost == null -> "What that cost is unknown"
        (cost * 100).roundToLong() <= 0 -> "That cost no throughput that could be measured"
        else -> "That cost ${percent(cost)} of the throughput"
    }
    return "Profiled in a load of its own after all measurements of trial $trial, so that no measured figure " +
        "includes it. $words. Mean latency in it: ${digits(meanMicros / 1e3)} ms, with ${digits(inFlight)} requests " +
        "in flight on average.${overlapWords()}${gapWords(gaps)}${places.joinToString("") { " ${it.words}" }}"
}

private fun Because.overlapWords() = if (overlap <= NOTABLE_OVERLAP) "" else
    " The parts take ${digits(overlap)} times as long as the request, because it does several things at the same " +
        "time; they are shown as shares of it."

private fun gapWords(gaps: List<ProfileGap>): String =
    if (gaps.isEmpty()) "" else " Not observed: " + gaps.joinToString("; ") { "${it.what.words} (${it.reason})" } + "."

/** Known reasons with their remedy; others as the system says them. */
private val ProfileGap.reason: String
    get() = when {
        what == ProfilePart.EVENTS && NO_BEAN in why ->
            "its Java has no Flight Recorder that can be asked, which the modules jdk.jfr and jdk.management.jfr bring"
        what == ProfilePart.DUMPS && NAMESPACE.matches(why) ->
            "it does not share files with this program, as in a container, so virtual threads are not seen"
        what == ProfilePart.DUMPS -> LATE.matchEntire(why)
            ?.let { "no dump of them was made in time; one took ${whole(it.groupValues[1].toLong())} ms" } ?: why
        else -> why
    }

private val PlaceTrouble.words: String
    get() = when (this) {
        PlaceTrouble.NO_LINES -> "Places have no lines, because its classes were compiled without (javac -g:none)."
        PlaceTrouble.SHORT_NAMES ->
            "Most of its classes have names of one or two letters: the tool that shortened them has a list of the true ones."
    }

private const val NO_BEAN = "InstanceNotFoundException"
private val NAMESPACE = Regex("/proc/\\d+/ns/mnt")
private val LATE = Regex("late: (\\d+) ms")

private val ProfilePart.words get() = when (this) {
    ProfilePart.JVM -> "the JVM"
    ProfilePart.EVENTS -> "events"
    ProfilePart.DUMPS -> "what threads do"
    ProfilePart.THREADS -> "CPU time of threads"
    ProfilePart.POOLS -> "pools"
    ProfilePart.NATIVE_STACKS -> "native code"
}

/** Less is the error of the measurement. */
private const val NOTABLE_OVERLAP = 1.1
