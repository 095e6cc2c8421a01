package threadgauge.wording.claim

import threadgauge.model.claim.Bound
import threadgauge.model.claim.Statement
import threadgauge.model.claim.cells
import threadgauge.model.judgement.CheckFinding
import threadgauge.model.judgement.claim.AsPublished
import threadgauge.model.judgement.claim.ClaimCheck
import threadgauge.model.judgement.claim.ClaimJudgement
import threadgauge.model.judgement.claim.ClaimReason
import threadgauge.model.judgement.claim.deciding
import threadgauge.wording.FIRST_NAMED
import threadgauge.wording.MAX_NAMED
import threadgauge.wording.digits
import threadgauge.wording.listed
import threadgauge.wording.words

/** The reason for the verdict on a claim, in sentences for a reader who knows the post but not this run. */
internal fun ClaimJudgement.words(): String = ClaimReasonWords(this).sentences(reason).filterNotNull().joinToString(" ")

/** Templates of a sentence about some checks of a claim. `%s` takes their names, in [all] their number. */
private class Form(val inSituations: String, val one: String, val several: String, val all: String)

private val HOLDING = Form(
    "The claim holds in %s.", "This statement holds: %s.", "These statements hold: %s.", "All %s statements hold.",
)
private val FAILING = Form(
    "The claim does not hold in %s.", "This statement does not hold: %s.", "These statements do not hold: %s.",
    "None of the %s statements holds.",
)
private val UNKNOWN = Form(
    "This run cannot tell in %s.", "This run cannot tell for this statement: %s.",
    "This run cannot tell for these statements: %s.", "This run cannot tell for any of the %s statements.",
)
private val IDLE = Form(
    "The result in %s is unknown, but cannot change the verdict.",
    "This statement is unknown, but cannot change the verdict: %s.",
    "These statements are unknown, but cannot change the verdict: %s.",
    "All %s statements are unknown.",
)

private class ClaimReasonWords(private val judged: ClaimJudgement) {
    private val deciding = judged.deciding

    /** In the order of reading. Null entries are skipped. */
    fun sentences(reason: ClaimReason): List<String?> = when (reason) {
        is ClaimReason.Holds -> listOf(
            holds(reason.holding), fails(reason.failing), forced(reason.failing), unknown(reason.unknown),
            asPublished(reason.asPublished),
        )
        is ClaimReason.Fails ->
            listOf(fails(reason.failing), named(IDLE, reason.idle), asPublished(reason.asPublished))
        is ClaimReason.ExplainedBySetting -> listOf(
            "A limit, not the server, produces the published result: ${limits(reason.published)}.",
            fails(reason.failing)?.let { "Tested fairly, ${it.replaceFirstChar(Char::lowercase)}" },
        )
        is ClaimReason.HoldsBySettingAlone -> listOf(
            "The claim holds only where a limit, not the server, sets the result: ${limits(reason.holding)}.",
            fails(reason.failing),
        )
        is ClaimReason.Forced -> listOf(
            "A limit, not the server, sets the result in every situation tested: ${limits(reason.forced)}.",
            asPublished(reason.asPublished),
        )
        is ClaimReason.Unknown ->
            listOf(unknown(reason.unknown) ?: "The claim makes no statement.", fails(reason.failing))
    }

    private fun holds(checks: List<Int>) = named(HOLDING, checks)?.let { it + detail(checks) }

    private fun fails(checks: List<Int>) = named(FAILING, checks)?.let { it + detail(checks) }

    private fun forced(failing: List<Int>): String? {
        val forced = failing.filter { judged.checks[it].isForced }.ifEmpty { return null }
        return "A limit, not the server, sets that result: ${limits(forced)}."
    }

    private fun asPublished(outcome: AsPublished?) = when (outcome) {
        null -> null
        AsPublished.HOLDS -> "Tested as published, the claim holds."
        AsPublished.FAILS -> "Tested as published, the claim does not hold."
        AsPublished.UNCLEAR -> "Tested as published, the result is unclear."
    }

    /** With the distinct reasons; of more than [MAX_NAMED] the first few. */
    private fun unknown(checks: List<Int>): String? {
        val named = named(UNKNOWN, checks) ?: return null
        if (checks.size == 1) return named + detail(checks)
        val (found, obstacles) = checks.map { judged.checks[it] }.partition { it.finding == CheckFinding.Found }
        val leftOut = obstacles.mapNotNull { (it.finding as? CheckFinding.StackLeftOut)?.stack }.distinct()
        val others = obstacles.filterNot { it.finding is CheckFinding.StackLeftOut }.map { it.words() }.distinct()
        val shown = if (others.size > MAX_NAMED) others.take(FIRST_NAMED) else others
        val sentences = listOf(named, leftOut(leftOut)) + shown +
            listOf(more(others.size - shown.size), intervals(found, areAll = obstacles.isEmpty()))
        return sentences.filterNotNull().joinToString(" ")
    }

    private fun leftOut(stacks: List<String>) = when (stacks.size) {
        0 -> null
        1 -> "${stacks.single()} was left out of this run."
        else -> "${listed(stacks)} were left out of this run."
    }

    private fun more(reasons: Int) = when (reasons) {
        0 -> null
        1 -> "There is 1 more reason."
        else -> "There are $reasons more reasons."
    }

    /** For checks whose intervals decide nothing. [areAll]: no other check of the claim is unknown. */
    private fun intervals(found: List<ClaimCheck>, areAll: Boolean): String? {
        if (found.isEmpty()) return null
        if (!areAll) return "The other intervals include values on both sides of the claim."
        val measured = if (found.size <= FIRST_NAMED) "Measured ${listed(found.map { it.measured() })}. " else ""
        return measured + "The intervals include values on both sides of the claim."
    }

    /** What a single check measured. */
    private fun detail(checks: List<Int>) = checks.singleOrNull()?.let { " " + judged.checks[it].words() }.orEmpty()

    /** The ceilings of [checks] and their situations: "200 users ÷ 1000 ms = 200/s (few against many)". */
    private fun limits(checks: List<Int>) =
        checks.flatMap { limitsOf(judged.checks[it]) }.distinct().joinToString("; ")

    private fun limitsOf(check: ClaimCheck) =
        check.ceilings.map { "${it.words} = ${digits(it.requestsPerSecond)}/s (${situationsOf(check.statement)})" }

    /**
     * [form] with the situations of [checks], or with their statements where these differ in more than the situation
     * or have none. Null where there are no checks.
     */
    private fun named(form: Form, checks: List<Int>): String? {
        val statements = checks.map { judged.checks[it].statement }.ifEmpty { return null }
        if (statements.size > MAX_NAMED && statements.size == deciding.size) return form.all.format(statements.size)
        val isOneOfMany = deciding.distinctBy { it.statement.butSituations() }.size > 1
        if (!isOneOfMany && statements.all { it.left.situation != null }) {
            return form.inSituations.format(listed(statements.map(::situationsOf).distinct()))
        }
        val names = statements.map { withinSentence(it.words()) }.distinct()
        return (if (names.size == 1) form.one else form.several).format(listed(names))
    }
}

private fun situationsOf(statement: Statement) =
    statement.cells.mapNotNull { it.situation }.distinct().joinToString(" against ")

/** Equal for statements that differ only in their situations. */
private fun Statement.butSituations(): List<Any> = listOf(measure, left.stack, relation) + when (val right = right) {
    is Bound.Value -> listOf(right)
    is Bound.Times -> listOf(right.factor, right.cell.stack)
}
