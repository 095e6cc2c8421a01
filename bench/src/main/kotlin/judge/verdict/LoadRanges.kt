package threadgauge.judge.verdict

import threadgauge.model.Load
import threadgauge.model.Situation
import threadgauge.model.fastestPerSecond
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.LoadRange
import threadgauge.model.judgement.LoadStep
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.Verdict
import threadgauge.model.users
import threadgauge.wording.whole

/**
 * For every request that was put under two or more loads of one kind: over which of them a verdict holds, and where it
 * turns into another. What lies between two loads was not measured, so a turn is told as "between".
 */
internal fun loadRanges(situations: List<SituationJudgement>): List<LoadRange> =
    situations.filter { amount(it.situation) != null }
        .groupBy { listOf(it.situation.request, it.situation.connections.protocol, it.situation.load::class) }.values
        .map { group -> group.distinctBy { amount(it.situation) } }
        .filter { it.size > 1 && it.none { judged -> judged.verdict is Verdict.Alone || judged.verdict is Verdict.BesideBaselines } }
        .map { group -> loadRange(group.sortedBy { amount(it.situation) }) }

private fun loadRange(group: List<SituationJudgement>): LoadRange {
    val steps = group.map { LoadStep(it.situation.name, amountWords(it.situation), leaders(it.verdict, it)) }
    val request = group.first().situation.request.let { "${it.method} ${it.path}" }
    val stretches = stretches(group.map { meaning(it) })
    val told = stretches.joinToString("; ") { (at, meaning) -> "${span(steps, at)} $meaning" }
    // Where nothing can be told on one side, nobody knows whether it turns.
    val turns = stretches.drop(1).map { (at, _) -> at.first }.filter { isTold(group[it - 1].verdict) && isTold(group[it].verdict) }
    val words = when {
        stretches.size == 1 -> "the verdict is the same from ${steps.first().load} to ${steps.last().load}: ${stretches.single().second}"
        turns.isEmpty() -> told
        else -> "$told. It turns " + turns.joinToString(", ") { "between ${steps[it - 1].load} and ${steps[it].load}" }
    }
    return LoadRange(request, steps, "For $request, $words.")
}

private fun isTold(verdict: Verdict) = when (verdict) {
    is Verdict.Fits, is Verdict.NoDifference, is Verdict.DecidedBySetting -> true
    is Verdict.CannotTell, is Verdict.BesideBaselines, is Verdict.Alone, is Verdict.Indicative -> false
}

private fun span(steps: List<LoadStep>, at: IntRange) =
    if (at.first == at.last) "at ${steps[at.first].load}" else "from ${steps[at.first].load} to ${steps[at.last].load}"

/** ReferencedFiles of the same meaning, with the range of their places. */
private fun stretches(meanings: List<String>): List<Pair<IntRange, String>> {
    val starts = meanings.indices.filter { it == 0 || meanings[it] != meanings[it - 1] }
    return starts.mapIndexed { index, start -> start..(starts.getOrElse(index + 1) { meanings.size } - 1) to meanings[start] }
}

private fun meaning(judged: SituationJudgement): String {
    val leaders = leaders(judged.verdict, judged).sorted().joinToString(" and ")
    val most = if (judged.decidedBy == Compared.THROUGHPUT) "most" else "soonest"
    return when (judged.verdict) {
        is Verdict.Fits -> if (most == "most") "$leaders serve$S most".one(leaders) else "$leaders answer$S soonest".one(leaders)
        is Verdict.NoDifference -> "there is no difference"
        is Verdict.DecidedBySetting -> "a setting decides"
        is Verdict.CannotTell -> "it cannot be told"
        is Verdict.BesideBaselines -> "each was compared with its baseline"
        is Verdict.Alone -> "it was measured alone"
        is Verdict.Indicative -> "there are too few trials to tell"
    }
}

/** "a serves", "a and b serve". */
private fun String.one(leaders: String) = replace(S, if (" and " in leaders) "" else "s")

private fun leaders(verdict: Verdict, judged: SituationJudgement): List<String> = when (verdict) {
    is Verdict.Fits -> verdict.stacks
    is Verdict.DecidedBySetting -> verdict.stacks
    is Verdict.NoDifference -> judged.cells.map { it.stack }
    is Verdict.CannotTell, is Verdict.BesideBaselines, is Verdict.Alone, is Verdict.Indicative -> emptyList()
}

/** How much load: users, or requests per second. Null for a load that changes while it goes on. */
private fun amount(situation: Situation): Double? = when (val load = situation.load) {
    is Load.Users, is Load.Loops, is Load.Burst -> load.users!!.toDouble()
    is Load.Rate, is Load.Poisson -> load.fastestPerSecond
    is Load.Ramp, is Load.Steps -> null
}

private fun amountWords(situation: Situation): String {
    val amount = whole(amount(situation)!!)
    return when (situation.load) {
        is Load.Users, is Load.Loops -> if (amount == "1") "1 user" else "$amount users"
        is Load.Burst -> "$amount at once"
        is Load.Open -> "$amount/s"
    }
}

private const val S = "{s}"
