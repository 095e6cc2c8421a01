package threadgauge.wording.claim

import threadgauge.model.claim.Bound
import threadgauge.model.claim.Statement
import threadgauge.model.claim.cells
import threadgauge.model.judgement.AsPublished
import threadgauge.model.judgement.CheckFinding
import threadgauge.model.judgement.ClaimCheck
import threadgauge.model.judgement.ClaimJudgement
import threadgauge.model.judgement.ClaimReason
import threadgauge.model.judgement.deciding
import threadgauge.wording.MAX_NAMED
import threadgauge.wording.digits
import threadgauge.wording.listed
import threadgauge.wording.words

/** Why the claim has its verdict, in sentences for a reader who knows the post and nothing of this run. */
internal fun ClaimJudgement.words(): String = ClaimReasonWords(this).words(reason)

private class ClaimReasonWords(private val judged: ClaimJudgement) {
    private val deciding = judged.deciding

    fun words(reason: ClaimReason): String = when (reason) {
        is ClaimReason.Holds -> holds(reason)
        is ClaimReason.Fails ->
            "It does not hold ${places(reason.failing)}." + idle(reason.idle) + asPublished(reason.asPublished)
        is ClaimReason.ExplainedBySetting ->
            "It comes out as published because a setting held one side down: ${settings(reason.published)}." +
                unlessEmpty(reason.failing) { " Asked fairly, it does not hold $it." }
        is ClaimReason.HoldsBySettingAlone ->
            "It holds only where a setting holds one side down: ${settings(reason.holding)}. " +
                "Elsewhere it does not: ${places(reason.failing)}."
        is ClaimReason.Forced ->
            "In every situation asked a setting decides, whatever the server: ${settings(reason.forced)}." +
                asPublished(reason.asPublished)
        is ClaimReason.Unknown -> unknown(reason)
    }

    private fun holds(reason: ClaimReason.Holds): String {
        val forced = reason.failing.filter { judged.checks[it].isForced }
        return "It holds ${places(reason.holding)}." +
            unlessEmpty(reason.failing) { " It does not hold $it." } +
            (if (forced.isEmpty()) "" else " There a setting leaves no room: ${settings(forced)}.") +
            unlessEmpty(reason.unknown) { " It cannot be told $it." } +
            asPublished(reason.asPublished)
    }

    private fun unknown(reason: ClaimReason.Unknown) =
        reason.unknown.map { judged.checks[it].words() }.distinct().joinToString(" ").ifEmpty { "It states nothing." } +
            unlessEmpty(reason.failing) { " It does not hold $it; more is not known." }

    private fun idle(checks: List<Int>) = unlessEmpty(checks) { " What cannot be told would not mend that: $it." }

    private fun asPublished(outcome: AsPublished?) = when (outcome) {
        null -> ""
        AsPublished.HOLDS -> " Asked as published it comes out as published."
        AsPublished.FAILS -> " Asked as published it does not come out here."
        AsPublished.UNCLEAR -> " Asked as published it does not come out clearly here."
    }

    private fun unlessEmpty(checks: List<Int>, sentence: (String) -> String) =
        if (checks.isEmpty()) "" else sentence(places(checks))

    /** The ceilings that act on [checks], and where: "200 users ÷ 1000 ms = 200/s (few against many)". */
    private fun settings(checks: List<Int>) =
        checks.flatMap { settingsOf(judged.checks[it]) }.distinct().joinToString("; ")

    private fun settingsOf(check: ClaimCheck) =
        check.ceilings.map { "${it.words} = ${digits(it.requestsPerSecond)}/s (${situationsOf(check.statement)})" }

    /** "in few and many", or the statements themselves where they differ in more than the situation, or have none. */
    private fun places(numbers: List<Int>): String {
        val checks = numbers.map { judged.checks[it] }
        val isOneOfMany = deciding.distinctBy { it.statement.butSituations() }.size > 1
        val names = checks.map { placeOf(it.statement, isOneOfMany) }
        if (names.size > MAX_NAMED && checks.size == deciding.size) return "in all of its ${names.size} statements"
        val isStated = isOneOfMany || checks.any { it.statement.left.situation == null }
        return (if (isStated) "that " else "in ") + listed(names.distinct()) + found(checks)
    }

    /** What a single check found. */
    private fun found(checks: List<ClaimCheck>): String {
        val check = checks.singleOrNull() ?: return ""
        val isFound = check.finding == CheckFinding.Found
        return ": found " + if (isFound) check.foundAgainstClaimed() else check.words().trimEnd('.')
    }

    private fun placeOf(statement: Statement, whole: Boolean): String {
        val situations = situationsOf(statement)
        return if (!whole && situations.isNotEmpty()) situations else withinSentence(statement.words())
    }
}

private fun situationsOf(statement: Statement) =
    statement.cells.mapNotNull { it.situation }.distinct().joinToString(" against ")

/** All that statements have in common that differ in nothing but their situations. */
private fun Statement.butSituations(): List<Any> = listOf(measure, left.stack, relation) + when (val right = right) {
    is Bound.Value -> listOf(right)
    is Bound.Times -> listOf(right.factor, right.cell.stack)
}

/** "Peak CPU" goes on in small letters, "CPU at rest" does not. */
private fun withinSentence(sentence: String) =
    if (sentence.getOrNull(1)?.isUpperCase() == true) sentence else sentence.replaceFirstChar(Char::lowercase)
