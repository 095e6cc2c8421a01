package threadgauge.judge.claim

import java.util.Locale
import threadgauge.model.claim.Bound
import threadgauge.model.claim.ClaimCell
import threadgauge.model.claim.Statement
import threadgauge.model.claim.cells
import threadgauge.model.claim.words
import threadgauge.model.judgement.Ceiling
import threadgauge.model.judgement.CheckOutcome
import threadgauge.model.judgement.ClaimCheck
import threadgauge.model.judgement.ClaimVerdict
import threadgauge.model.words
import threadgauge.wording.MAX_NAMED
import threadgauge.wording.digits
import threadgauge.wording.listed

/** Why a claim has its verdict, in sentences for a reader who knows the post and nothing of this run. */
internal class ClaimReason(
    private val deciding: DecidingChecks,
    private val published: List<ClaimCheck>,
    private val corrected: List<ClaimCheck>,
) {
    fun words(verdict: ClaimVerdict): String = when (verdict) {
        ClaimVerdict.CONFIRMED -> "It holds ${places(deciding.holding)}." + aside()
        ClaimVerdict.CONFIRMED_WITHIN_A_RANGE -> "It holds ${places(deciding.holding)}." + notHolding() + untold() + aside()
        ClaimVerdict.REFUTED -> "It does not hold ${places(deciding.failing)}." + besides() + aside()
        ClaimVerdict.DECIDED_BY_THE_SETTING -> bySetting()
        ClaimVerdict.CANNOT_TELL_HERE -> cannotTell()
    }

    private fun bySetting(): String {
        if (deciding.isExplained) {
            val put = if (deciding.failing.isEmpty()) "" else " Asked fairly, it does not hold ${places(deciding.failing)}."
            return "It comes out as published because a setting held one side down: ${held(published)}.$put"
        }
        if (deciding.holding.isNotEmpty() && deciding.failing.any { !it.isForced }) {
            return "It holds only where a setting holds one side down: ${held(deciding.holding)}. " +
                "Elsewhere it does not: ${places(deciding.failing.filterNot { it.isForced })}."
        }
        return "In every situation asked a setting decides, whatever the server: ${held(deciding.all)}." + aside()
    }

    private fun cannotTell(): String {
        val known = if (deciding.failing.isEmpty()) "" else " It does not hold ${places(deciding.failing)}; more is not known."
        return deciding.unknown.map { it.words }.distinct().joinToString(" ").ifEmpty { "It states nothing." } + known
    }

    private fun notHolding(): String = if (deciding.failing.isEmpty()) "" else {
        val forced = deciding.failing.filter { it.isForced }
        val room = if (forced.isEmpty()) "" else " There a setting leaves no room: ${held(forced)}."
        " It does not hold ${places(deciding.failing)}.$room"
    }

    private fun besides() =
        if (deciding.idle.isEmpty()) "" else " What cannot be told would not mend that: ${places(deciding.idle)}."

    private fun untold() = if (deciding.unknown.isEmpty()) "" else " It cannot be told ${places(deciding.unknown)}."

    /** How the statements as published came out, where they do not decide. */
    private fun aside(): String = when {
        corrected.isEmpty() || published.isEmpty() -> ""
        published.all { it.outcome == CheckOutcome.HOLDS } -> " Asked as published it comes out as published."
        published.all { it.outcome == CheckOutcome.FAILS } -> " Asked as published it does not come out here."
        else -> " Asked as published it does not come out clearly here."
    }

    private fun held(checks: List<ClaimCheck>): String = checks.flatMap { check -> boundsOf(check) }.distinct().joinToString("; ")

    private fun boundsOf(check: ClaimCheck) =
        check.ceilings.map { "${it.words} = ${perSecond(it)}" }
            .map { bound -> "$bound (${check.statement.cells.mapNotNull(ClaimCell::situation).distinct().joinToString(" against ")})" }

    private fun perSecond(ceiling: Ceiling) = "${digits(ceiling.requestsPerSecond)}/s"

    /** "in few-users and many-users", or the statement itself where it is not of a situation or not the only one there. */
    private fun places(checks: List<ClaimCheck>): String {
        val statements = deciding.all.map { it.statement }
        val isOneOfMany = statements.distinctBy { listOf(it.measure, it.left.stack, it.relation, boundOf(it)) }.size > 1
        val names = checks.map { check -> placeOf(check.statement, isOneOfMany) }
        val found = if (checks.size == 1) ": " + checks.single().words.removePrefix("Found ").let { "found $it" }.trimEnd('.') else ""
        if (names.size > MAX_NAMED && checks.size == deciding.all.size) return "in all of its ${names.size} statements"
        val isStated = isOneOfMany || checks.any { it.statement.left.situation == null }
        return (if (isStated) "that " else "in ") + listed(names.distinct()) + found
    }

    private fun boundOf(statement: Statement): Any = when (val right = statement.right) {
        is Bound.Value -> right
        is Bound.Times -> right.factor to right.cell.stack
    }

    private fun placeOf(statement: Statement, whole: Boolean): String {
        val situations = statement.cells.mapNotNull { it.situation }.distinct()
        if (!whole && situations.isNotEmpty()) return situations.joinToString(" against ")
        // "Peak CPU" goes on in small letters, "CPU at rest" does not.
        return statement.words().let { if (it.getOrNull(1)?.isUpperCase() == true) it else it.replaceFirstChar(Char::lowercase) }
    }
}

/** Ratios near 1 need their third digit behind the point. */
internal fun ratioDigits(value: Double): String = when {
    value == Math.rint(value) && value >= 1 -> "%,.0f".format(Locale.ROOT, value)
    value < 2 -> "%.3f".format(Locale.ROOT, value)
    value < 100 -> "%.1f".format(Locale.ROOT, value)
    else -> "%,.0f".format(Locale.ROOT, value)
}
