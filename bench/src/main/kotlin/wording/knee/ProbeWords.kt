package threadgauge.wording.knee

import java.util.Locale
import threadgauge.model.judgement.ProbeNote
import threadgauge.model.judgement.ProbeOutcome
import threadgauge.model.judgement.ProbeReason
import threadgauge.wording.percent

internal val ProbeOutcome.words: String
    get() = when (this) {
        ProbeOutcome.KEPT -> "kept"
        ProbeOutcome.BROKEN -> "broken"
        ProbeOutcome.AGENT -> "agent"
        ProbeOutcome.LATE -> "late"
    }

/** What decided the outcome of a probe, with figure and limit: no sentence, because it stands in lists. */
internal fun ProbeReason.words(): String = when (this) {
    is ProbeReason.GoalBroken -> "${measure.id} ${shortTime(micros)} (limit ${shortTime(maxMicros)})"
    is ProbeReason.TooManyErrors -> "${percent(share)} failed (limit ${percent(max)})"
    is ProbeReason.NotSent -> "only ${percent(share)} of the requests left in time (${percent(min)} needed)"
    is ProbeReason.GrowingQueue ->
        "its queue grows: p50 rose from ${shortTime(firstMicros)} to ${shortTime(lastMicros)} while it lasted"
    is ProbeReason.AgentFull -> "the load agent worked at ${percent(share)} of what it can do (limit ${percent(max)})"
    is ProbeReason.AgentBusy -> "the load agent was busy for ${percent(share)} of the time (limit ${percent(max)})"
    is ProbeReason.AgentLate ->
        "the load agent sent late, up to ${shortTime(maxDelayMicros)} " +
            "(its event loop by ${shortTime(loopLagMicros)}); from sending on the goals hold"
}

/** What makes the outcome of a probe less sure. */
internal fun ProbeNote.words(): String = when (this) {
    is ProbeNote.FewAnswers ->
        "$answers answers are few for ${measure.id} ($needed needed)" +
            if (longestTaken) ", so the longest of them was taken" else ""
    is ProbeNote.AgentNearLimit -> "the load agent worked at ${percent(share)} of what it can do"
    is ProbeNote.StolenTime -> "the hypervisor took ${percent(share)} of the machine's time"
    ProbeNote.NotRecovered -> "the target was not as quick as before within the time to recover"
}

/** Microseconds in the unit that fits them. */
private fun shortTime(micros: Double): String = when {
    micros >= 1e6 -> "%.2f s".format(Locale.ROOT, micros / 1e6)
    micros >= 1e5 -> "%.0f ms".format(Locale.ROOT, micros / 1e3)
    micros >= 1e3 -> "%.1f ms".format(Locale.ROOT, micros / 1e3)
    else -> "%.0f µs".format(Locale.ROOT, micros)
}
