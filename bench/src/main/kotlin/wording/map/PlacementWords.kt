package threadgauge.wording.map

import threadgauge.model.ConcurrencyModel
import threadgauge.model.judgement.map.Fit
import threadgauge.model.judgement.map.Gain
import threadgauge.model.judgement.map.MapJudgement
import threadgauge.model.judgement.map.MapMove
import threadgauge.model.judgement.map.MapPlacement
import threadgauge.model.plan.MapQuestion
import threadgauge.wording.advice.equation
import threadgauge.wording.advice.rate
import threadgauge.wording.advice.time
import threadgauge.wording.advice.words
import threadgauge.wording.digits
import threadgauge.wording.listed
import threadgauge.wording.percent
import threadgauge.wording.significant
import threadgauge.wording.whole

/** What the service does, and on which model. */
internal fun MapPlacement.workWords(): String {
    val cpu = cpuMicros?.let { " and costs ${digits(it)} µs of CPU" }.orEmpty()
    val blocked = if (blockedMillis < SEEN * waitMillis) "" else
        " For ${percent(blockedMillis / waitMillis)} of its wait it blocks a thread that others need."
    return "With ${whole(users.toLong())} requests at a time it answers ${rate(now.perSecond)}, in " +
        "${time(now.meanMicros)} on average. A request waits ${significant(waitMillis)} ms$cpu. " +
        "The service has ${model.words}.$blocked"
}

/** What stays with any model; null where nothing is known to. */
internal fun MapPlacement.limitWords(): String? =
    limits.firstOrNull()?.let { "Whatever the model is, this stays: ${it.equation()}." }

/** What the map says of the nearest place that was measured. */
internal fun MapPlacement.nearestWords(map: MapJudgement): String {
    val question = map.question
    val titles = map.stacks.associate { it.name to it.title }
    val fitting = nearest.stacks.filter { it.fit == Fit.YES }.map { titles.getValue(it.stack) }
    val where = "${question.workWords(nearest.work)} with ${whole(nearest.users.toLong())} users"
    val beyond = if (isWithin) "" else " The service lies beyond what the map measured: ${question.extentWords()}."
    val says = when {
        nearest.doAllFit -> "there all fit, so the model does not matter"
        fitting.isEmpty() -> "what fits there cannot be told"
        else -> "there ${listed(fitting)} ${if (fitting.size == 1) "fits" else "fit"}"
    }
    return "The nearest place of the map is to $where: $says.$beyond"
}

private fun MapQuestion.extentWords() =
    "${amountWords(work.first())} to ${amountWords(work.last())}, and ${whole(users.first().toLong())} to " +
        "${whole(users.last().toLong())} users"

/** The answer: what the best of the other models would bring. */
internal fun MapPlacement.answerWords(): String {
    val best = moves.firstOrNull() ?: return "The numbers of no other stack of the map are known."
    return when {
        best.gain == Gain.MORE -> "Most would come of ${best.model.shortWords} as in ${best.title}: " +
            "${digits(best.prediction.ratio.value)} times as much throughput is predicted."
        moves.all { it.gain == Gain.LESS } -> "Every other model of the map would bring less."
        else -> "No other model of the map is predicted to bring 5 % more throughput."
    }
}

/** A sentence without its full stop. */
internal fun MapMove.words(): String {
    val expected = if (gain == Gain.NONE) "${rate(prediction.perSecond.value)}, as much as now" else prediction.words()
    return expected + limit?.let { "; then limited by ${it.words()}" }.orEmpty()
}

/** A mark before a move: it brings more, less, or neither. */
internal fun Gain.sign(): String = when (this) {
    Gain.MORE -> "+"
    Gain.LESS -> "−"
    Gain.NONE -> "="
}

/** Why not to believe it without a measurement. */
internal fun MapPlacement.doubtWords(map: MapJudgement): List<String> {
    val laws = map.stacks.mapNotNull { it.law }
    val near = if (laws.isEmpty()) "" else
        " On the map, such numbers were within 25 % at ${laws.sumOf { it.near }} of ${laws.sumOf { it.of }} places."
    return listOfNotNull(
        "These are predictions, from what the service was seen to do and a few numbers of each stack.$near",
        "It is assumed that your own code costs the same on every model, and that where a model has few threads, its " +
            "calls are made without blocking one. With a driver or library that blocks, look at --sheet block.",
        "No stack of the map has the model of the service, so the CPU time of a model itself is taken to be the same."
            .takeIf { like == null },
        "The map was drawn on another machine than the service was measured on.".takeIf { isOtherMachine },
        "To be sure, build it and measure both: threadgauge try NEW --against OLD.",
    )
}

private val ConcurrencyModel.shortWords: String
    get() = when (this) {
        ConcurrencyModel.PLATFORM_THREADS -> "platform threads"
        ConcurrencyModel.VIRTUAL_THREADS -> "virtual threads"
        ConcurrencyModel.EVENT_LOOP -> "event loops"
        ConcurrencyModel.COROUTINES -> "coroutines"
        ConcurrencyModel.UNKNOWN -> "its model"
    }

/** A share of the wait. */
private const val SEEN = 0.1
