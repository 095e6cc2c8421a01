package threadgauge.wording.regression

import threadgauge.model.judgement.AllocationChange
import threadgauge.model.judgement.CauseChange
import threadgauge.model.judgement.MethodChange
import threadgauge.model.judgement.PartChange
import threadgauge.model.judgement.PoolChange
import threadgauge.model.judgement.cause.Holder
import threadgauge.wording.cause.label
import threadgauge.wording.cause.place
import threadgauge.wording.cause.words
import threadgauge.wording.digits
import threadgauge.wording.whole

/** How the causes of a cell changed, the most important first: a sentence each, and one where nothing changed. */
internal fun CauseChange.sentences(): List<String> {
    val found = listOfNotNull(holderWords()) + parts.listed { it.words() } + methods.listed { it.words() } +
        pools.listed { it.words() } + listOfNotNull(allocated?.words())
    return found.ifEmpty { listOf("Causes: nothing changed by more than chance explains; ${newHolder.clause()}.") }
}

private fun CauseChange.holderWords(): String? =
    if (!holderChanged) null else "Another cause: before, ${baseHolder.clause()}; now, ${newHolder.clause()}."

private fun Holder.clause() = if (this is Holder.Unknown) words() else "it was so fast because ${words()}"

private fun PartChange.words(): String {
    val (more, difference) = moreOrLess(newMicros - baseMicros)
    val thing = part.words().let { if (part.place == null && part.on == null) "" else " ($it)" }
    return "Latency: ${part.kind.label}$thing takes ${micros(difference)} $more per request " +
        "(${micros(baseMicros)} before, ${micros(newMicros)} now)."
}

private fun MethodChange.words(): String {
    val (more, difference) = moreOrLess(newMicros - baseMicros)
    val name = method?.let { it.label + it.place?.let { place -> " at $place" }.orEmpty() } ?: "threads $threads"
    return "CPU: $name takes ${micros(difference)} $more per request (${micros(baseMicros)} before, " +
        "${micros(newMicros)} now; ${whole(baseSamples)} and ${whole(newSamples)} samples)."
}

private fun PoolChange.words() = "Pool: $name has ${whole(new.toLong())} at most, and had ${whole(base.toLong())}."

private fun AllocationChange.words() =
    "Allocation: ${whole(new)} bytes per request, and ${whole(base)} before, by samples."

private fun moreOrLess(difference: Double) = if (difference >= 0) "more" to difference else "less" to -difference

private fun micros(value: Double) = if (value >= MILLI) "${digits(value / MILLI)} ms" else "${digits(value)} µs"

private fun <T> List<T>.listed(words: (T) -> String): List<String> {
    val more = size - MAX_LISTED
    return take(MAX_LISTED).map(words) + if (more > 0) listOf("And $more more of these.") else emptyList()
}

private const val MILLI = 1_000.0
private const val MAX_LISTED = 4
