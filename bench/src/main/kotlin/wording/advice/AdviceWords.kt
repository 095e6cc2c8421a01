package threadgauge.wording.advice

import threadgauge.model.advice.LimitedResource
import threadgauge.model.advice.Prediction
import threadgauge.model.advice.Range
import threadgauge.model.judgement.advice.Advice
import threadgauge.model.judgement.advice.AdvisedChange
import threadgauge.model.judgement.advice.ChangeOutcome
import threadgauge.model.judgement.advice.ServiceLimit
import threadgauge.wording.cause.lockName
import threadgauge.wording.cause.wordsWithCaller
import threadgauge.wording.digits
import threadgauge.wording.significant

/** "It serves 490/s with a mean latency of 102 ms. The lowest limit: 10 connections of HikariCP ÷ 20.4 ms = 490/s." */
fun Advice.words(): String {
    val serves = "It serves ${rate(now.perSecond)} with a mean latency of ${time(now.meanMicros)}."
    return serves + limits.firstOrNull()?.let { " The lowest limit that is known: ${it.equation()}." }.orEmpty()
}

/** What limits, without the figure: "10 connections of HikariCP". */
fun ServiceLimit.words(): String {
    val number = count?.let { (if (isEstimated) "about " else "") + digits(Math.round(it).toDouble()) }
    val one = count != null && Math.round(count!!) == 1L
    val of = name?.takeIf { it.isNotEmpty() }?.let { " of $it" }.orEmpty()
    return when (resource) {
        LimitedResource.USERS -> "$number ${if (one) "user" else "users"} of the load"
        LimitedResource.ARRIVALS -> "the arrival rate of the load"
        LimitedResource.PROCESSOR -> "$number ${if (one) "core" else "cores"}"
        LimitedResource.REQUEST_THREADS -> "$number ${if (one) "request thread" else "request threads"}"
        LimitedResource.TASK_THREADS -> "$number ${if (one) "thread" else "threads"} for blocking calls"
        LimitedResource.EVENT_LOOPS -> "$number ${if (one) "event loop" else "event loops"}"
        LimitedResource.CARRIERS -> "$number ${if (one) "carrier" else "carriers"} of virtual threads"
        LimitedResource.CONNECTIONS -> "$number ${if (one) "connection" else "connections"}$of"
        LimitedResource.LOCK -> "the lock ${name?.let(::lockName).orEmpty()}".trimEnd()
        LimitedResource.COLLECTOR -> "garbage collection"
        LimitedResource.NAME_LOOKUPS -> "the lookup of names"
        LimitedResource.ACCEPTED_CONNECTIONS -> "$number accepted connections"
    }
}

/** With its formula: "10 connections of HikariCP ÷ 20.4 ms = 490/s". */
fun ServiceLimit.equation(): String {
    val each = holdMicros?.let { " ÷ ${time(it)}" }.orEmpty()
    return "${words()}$each = ${rate(perSecond)}"
}

/** "A larger pool of HikariCP, 10 → 20"; for no limit "Virtual threads in Spring Boot". */
fun AdvisedChange.heading(): String {
    val sizes = if (from != null && to != null) ", ${digits(from!!)} → ${digits(to!!)}" else ""
    return change.title + sizes
}

/** What to do: the setting, or the code with its place. */
fun AdvisedChange.how(): String = setting
    ?: listOfNotNull(
        change.code?.replace("{value}", to?.let(::digits) ?: "more") ?: change.setting?.name,
        place?.let { "at ${it.wordsWithCaller()}" },
    ).joinToString(", ")

/** What it is expected to come to, as a sentence without its full stop. */
fun AdvisedChange.expectation(): String = when (val outcome = outcome) {
    is ChangeOutcome.Gain -> outcome.prediction.words() +
        outcome.next?.let { "; then ${it.words()} ${it.holds()} it" }.orEmpty()
    is ChangeOutcome.Nothing -> outcome.why(outcome.prediction.from.perSecond)
    ChangeOutcome.Unknown -> "nothing can be predicted; try … --against measures it"
}

private fun ChangeOutcome.Nothing.why(perSecond: Double): String {
    val limit = limit ?: return "nothing to gain: no limit of the service was seen, and it serves ${rate(perSecond)}"
    val which = when (limit.resource) {
        LimitedResource.ARRIVALS -> "it serves all that arrive, ${rate(perSecond)}"
        else -> "${limit.words()} ${limit.holds()} it at ${rate(limit.perSecond)}, and it serves ${rate(perSecond)}"
    }
    return "nothing to gain: $which"
}

private fun ServiceLimit.holds(): String {
    val isOne = count?.let { Math.round(it) } == 1L
    return if (isOne || resource == LimitedResource.ARRIVALS) "holds" else "hold"
}

/** "930/s (880 to 980), 1.90 times as much, in 53.0 ms (51.0 to 57.0)". */
fun Prediction.words(): String {
    val times = "${digits(ratio.value)} times as much"
    if (isAtMost) return "up to ${rate(perSecond.value)}, $times, if nothing of it is needed"
    if (isAtLeast) {
        return "at least ${rate(perSecond.value)}, $times, and up to ${rate(perSecond.high)} " +
            "once its code is compiled, which it was not yet"
    }
    val latency = meanMicros?.let { ", in ${time(it.value)}${it.spread(MICROS_TO_MILLIS)}" }.orEmpty()
    return "${rate(perSecond.value)}${perSecond.spread(1.0)}, $times$latency"
}

private fun Range.spread(unit: Double) =
    if (low == high) "" else " (${significant(low / unit)} to ${significant(high / unit)})"

/** Answers per second with as many digits as a throughput has. */
internal fun rate(perSecond: Double) = "${significant(perSecond)}/s"

/** Microseconds as milliseconds. */
internal fun time(micros: Double) = "${significant(micros / MICROS_TO_MILLIS)} ms"

private const val MICROS_TO_MILLIS = 1e3
