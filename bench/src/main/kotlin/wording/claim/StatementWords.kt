package threadgauge.wording.claim

import threadgauge.model.claim.Bound
import threadgauge.model.claim.ClaimCell
import threadgauge.model.claim.ClaimMeasure
import threadgauge.model.claim.Relation
import threadgauge.model.claim.Statement

/** The statement as a sentence without its full stop: "Throughput of a in x is at least 14 times that of b in y". */
internal fun Statement.words(): String {
    val verb = if (measure.isPlural) "are" else "is"
    return "${measure.title} of ${left.words()} $verb " + when (val right = right) {
        is Bound.Value -> relation.words(measure.unit.text(right.value))
        is Bound.Times -> relation.words(right, if (measure.isPlural) "those" else "that")
    }
}

/** "at least 5/s"; "5/s" alone for [Relation.EQUAL]. */
internal fun Relation.words(amount: String): String = when (this) {
    Relation.MORE -> "more than $amount"
    Relation.AT_LEAST -> "at least $amount"
    Relation.LESS -> "less than $amount"
    Relation.AT_MOST -> "at most $amount"
    Relation.EQUAL -> amount
}

private fun Relation.words(right: Bound.Times, that: String): String = when {
    right.factor != 1.0 -> words("${factorText(right.factor)} times $that of ${right.cell.words()}")
    this == Relation.EQUAL -> "the same as $that of ${right.cell.words()}"
    else -> words("$that of ${right.cell.words()}")
}

/** "a in x"; "a" where the measure is of the whole process. */
internal fun ClaimCell.words(): String = if (situation == null) stack else "$stack in $situation"

/** The relation without an amount, for claims of the form "a has more than b". */
internal val Relation.asMuch: String
    get() = when (this) {
        Relation.MORE -> "more"
        Relation.AT_LEAST -> "at least as much"
        Relation.LESS -> "less"
        Relation.AT_MOST -> "at most as much"
        Relation.EQUAL -> "the same"
    }

/** For the beginning of a sentence and for column heads. */
internal val ClaimMeasure.title: String
    get() = when (this) {
        ClaimMeasure.THROUGHPUT -> "Throughput"
        ClaimMeasure.P50 -> "Median latency"
        ClaimMeasure.P90 -> "p90 latency"
        ClaimMeasure.P99 -> "p99 latency"
        ClaimMeasure.SLOWEST -> "Maximum latency"
        ClaimMeasure.ERRORS -> "Error rate"
        ClaimMeasure.CPU -> "CPU per request"
        ClaimMeasure.MEMORY -> "Memory under load"
        ClaimMeasure.ALLOCATED -> "Allocation per request"
        ClaimMeasure.SWITCHES -> "Context switches per request"
        ClaimMeasure.THREADS -> "Threads"
        ClaimMeasure.BOOT -> "Boot time to the first answer"
        ClaimMeasure.LOGGED_BOOT -> "Self-reported boot time"
        ClaimMeasure.RSS -> "Memory before any load"
        ClaimMeasure.CLASSES -> "Loaded classes before any load"
        ClaimMeasure.START_CPU -> "Peak CPU during the boot"
        ClaimMeasure.BOOT_CPU -> "CPU time of the boot"
        ClaimMeasure.IDLE_CPU -> "CPU at rest"
        ClaimMeasure.FIRST_COLLECTION -> "Heap at the first GC"
        ClaimMeasure.OVERSOLD -> "Oversold seats"
        ClaimMeasure.LOST -> "Lost reservations"
        ClaimMeasure.DUPLICATED -> "Duplicated reservations"
    }

private val ClaimMeasure.isPlural: Boolean get() = this in PLURAL

private val PLURAL = setOf(
    ClaimMeasure.SWITCHES, ClaimMeasure.THREADS, ClaimMeasure.CLASSES, ClaimMeasure.OVERSOLD, ClaimMeasure.LOST,
    ClaimMeasure.DUPLICATED,
)

/** A title or a statement inside a sentence: "Peak CPU" becomes "peak CPU", "CPU at rest" stays. */
internal fun withinSentence(text: String): String =
    if (text.getOrNull(1)?.isUpperCase() == true) text else text.replaceFirstChar(Char::lowercase)
