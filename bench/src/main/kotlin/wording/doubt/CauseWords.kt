package threadgauge.wording.doubt

import threadgauge.model.doubt.CauseId
import threadgauge.model.doubt.CauseKind
import threadgauge.model.doubt.DoubtCause
import threadgauge.model.judgement.Validity
import threadgauge.wording.listed
import threadgauge.wording.whole

/** A cause of doubts in a few sentences: what was seen and how often, what it may have changed, and the remedy. */
internal fun DoubtCause.words(): String = listOfNotNull(seen, effect, excluded, remedy).joinToString(" ")

/** What was seen, and how often. */
internal val DoubtCause.seen: String
    get() = kinds.map { it.words() }.joined().replaceFirstChar { it.uppercase() } + "."

/** What the user can do about it. */
internal val DoubtCause.remedy: String
    get() = when {
        !isNoise -> kinds.first().worst.words().remedy
        validity == Validity.VALID -> NOTHING_TO_DO
        hasIntervals && !shiftsFigures -> "For narrower ones, measure when the machine is quiet, or with more trials."
        else -> "Measure when the machine is quiet."
    }

/** What it may have changed; null where that goes without saying. */
internal val DoubtCause.effect: String?
    get() = when (id) {
        CauseId.HOST, CauseId.OTHER_PROGRAMS, CauseId.MACHINE_SPEED -> noiseEffect()
        CauseId.FAILED_REQUESTS -> "Failures can be faster than answers, so latency and CPU per request say less."
        CauseId.UNEQUAL_WORK -> "Figures of different work cannot be compared."
        CauseId.SHORT_LOAD -> "Throughput depends on the length of the load there, not only on the server."
        CauseId.OTHER_LOAD -> "So the load was not the one described."
        CauseId.LEFT_OVER_REQUESTS -> "It processed them besides the load."
        CauseId.LOAD_AGENT -> "The latencies include delays of the load agent."
        CauseId.NOT_WARM -> "When warm, they may rank differently.".takeIf { validity != Validity.VALID }
        CauseId.FEW_ANSWERS -> "Chance decides p99 there; other figures are not affected."
        CauseId.PAUSED -> "The disturbed measurements shift the figures.".takeIf { validity != Validity.VALID }
        CauseId.IN_TURNS -> "The intervals are wider for it."
        CauseId.ODD_TRIAL -> "The figures and intervals include it."
        CauseId.BROKEN_PROMISE, CauseId.OTHER_MODEL, CauseId.MISREAD_COUNTER, CauseId.OTHER_CONDITIONS,
        CauseId.DRIFT, CauseId.UNFINISHED_RUN, CauseId.MISSING_FIGURES, CauseId.SHARED_CORES, CauseId.FILE_LIMIT,
        CauseId.SHORT_OF_MEMORY, CauseId.RUNNING_SERVICE, CauseId.GUESSED_PORT, CauseId.FEW_TRIALS,
        CauseId.IMPRECISE_KNEE,
        -> null
    }

/** Something outside the target took time from it. */
private val DoubtCause.isNoise get() = id == CauseId.HOST || id == CauseId.OTHER_PROGRAMS || id == CauseId.MACHINE_SPEED

/** An interval shows how trials differ, and not what disturbed all of them alike. */
private fun DoubtCause.noiseEffect(): String = when {
    kinds.all { it.measurements == null } -> "If they went on, the figures are worse than on a quiet machine."
    !hasIntervals -> "Without intervals, nobody can say how much that changed."
    validity == Validity.VALID -> "The intervals include it."
    shiftsFigures ->
        "Where it was so in most trials of a figure, the figure is worse than on a quiet machine, and no interval " +
            "shows by how much."
    else -> "The intervals include most of it."
}

/** Which stacks are in no verdict because of it; null where none. */
private val DoubtCause.excluded: String?
    get() = cells.filter { it.validity == Validity.INVALID }.takeIf { it.isNotEmpty() }?.let { invalid ->
        val stacks = listed(invalid.map { it.stack }.distinct())
        "The figures of $stacks in ${listed(invalid.map { it.situation }.distinct())} are in no verdict."
    }

private fun CauseKind.words(): String {
    val often = measurements?.takeIf { it.of > 1 }
        ?.let { " in ${whole(it.found.toLong())} of ${whole(it.of.toLong())} measurements" }.orEmpty()
    val whose = when {
        stacks.isEmpty() || worst.namesItsStack -> ""
        stacks.size > MAX_STACKS -> " (${stacks.size} stacks)"
        else -> " (${listed(stacks)})"
    }
    return worst.kindWords(amounts, stacks) + often + whose
}

/** A subject that several clauses have in common is named once. */
private fun List<String>.joined(): String {
    val common = SUBJECTS.firstOrNull { subject -> all { it.startsWith(subject) } }.orEmpty()
    return common + joinToString(", and ") { it.removePrefix(common) }
}

private const val NOTHING_TO_DO = "There is nothing to do."
private val SUBJECTS = listOf("other programs used ", "the load agent ")

/** The details name all. */
private const val MAX_STACKS = 3
