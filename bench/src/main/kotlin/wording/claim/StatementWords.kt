package threadgauge.wording.claim

import threadgauge.model.claim.Bound
import threadgauge.model.claim.ClaimCell
import threadgauge.model.claim.ClaimMeasure
import threadgauge.model.claim.Relation
import threadgauge.model.claim.Statement

/** The statement for people: "Throughput of a in x is at least 14 times that of b in y". */
internal fun Statement.words(): String = when (val right = right) {
    is Bound.Value -> "${measure.title} of ${left.words()} is ${relation.words(measure, right.value)}"
    is Bound.Times -> "${measure.title} of ${left.words()} is ${relation.words} ${right.words()}"
}

/** "at least 5/s"; of nothing at all no more than that is said: "0". */
internal fun Relation.words(measure: ClaimMeasure, value: Double): String =
    if (value == 0.0 && this == Relation.EQUAL) measure.unit.text(value) else "$words ${measure.unit.text(value)}"

/** "a in x", or "a" where the figure is of the whole process. */
internal fun ClaimCell.words(): String = if (situation == null) stack else "$stack in $situation"

private fun Bound.Times.words() =
    if (factor == 1.0) "that of ${cell.words()}" else "${factorText(factor)} times that of ${cell.words()}"

/** Before a value, and before so many times another figure. */
internal val Relation.words: String
    get() = when (this) {
        Relation.MORE -> "more than"
        Relation.AT_LEAST -> "at least"
        Relation.LESS -> "less than"
        Relation.AT_MOST -> "at most"
        Relation.EQUAL -> "the same as"
    }

/** Alone, where a figure is claimed to stand so to another of the same kind. */
internal val Relation.asMuch: String
    get() = when (this) {
        Relation.MORE -> "more"
        Relation.AT_LEAST -> "at least as much"
        Relation.LESS -> "less"
        Relation.AT_MOST -> "at most as much"
        Relation.EQUAL -> "the same"
    }

/** At the beginning of a sentence or over a column. */
internal val ClaimMeasure.title: String
    get() = when (this) {
        ClaimMeasure.THROUGHPUT -> "Throughput"
        ClaimMeasure.P50 -> "Median latency"
        ClaimMeasure.P90 -> "p90 latency"
        ClaimMeasure.P99 -> "p99 latency"
        ClaimMeasure.SLOWEST -> "Slowest answer"
        ClaimMeasure.ERRORS -> "Failed requests"
        ClaimMeasure.CPU -> "CPU per request"
        ClaimMeasure.MEMORY -> "Memory under load"
        ClaimMeasure.ALLOCATED -> "Allocated per request"
        ClaimMeasure.SWITCHES -> "Context switches per request"
        ClaimMeasure.THREADS -> "Threads"
        ClaimMeasure.BOOT -> "Boot to the first correct answer"
        ClaimMeasure.LOGGED_BOOT -> "Boot as the framework logs it"
        ClaimMeasure.RSS -> "Memory before any load"
        ClaimMeasure.CLASSES -> "Loaded classes before any load"
        ClaimMeasure.START_CPU -> "Peak CPU at the start"
        ClaimMeasure.BOOT_CPU -> "Processor time of the boot"
        ClaimMeasure.IDLE_CPU -> "CPU at rest"
        ClaimMeasure.FIRST_COLLECTION -> "Heap at the first collection"
        ClaimMeasure.OVERSOLD -> "Seats sold that are not there"
        ClaimMeasure.LOST -> "Reservations promised and lost"
        ClaimMeasure.DUPLICATED -> "Reservations made twice for one wish"
    }
