package threadgauge.wording.knee

import java.util.Locale
import threadgauge.model.judgement.ProbeNote
import threadgauge.model.judgement.ProbeOutcome
import threadgauge.model.judgement.ProbeReason
import threadgauge.wording.counted
import threadgauge.wording.percent
import threadgauge.wording.plainPercent
import threadgauge.wording.whole

internal val ProbeOutcome.words: String
    get() = when (this) {
        ProbeOutcome.KEPT -> "kept"
        ProbeOutcome.BROKEN -> "broken"
        ProbeOutcome.AGENT -> "agent"
        ProbeOutcome.LATE -> "late"
    }

/** What decided the outcome of a probe, with figure and limit. Not a sentence, because it stands in lists. */
internal fun ProbeReason.words(): String = when (this) {
    is ProbeReason.GoalBroken -> "${measure.id} ${shortTime(micros)} (limit ${shortTime(maxMicros)})"
    is ProbeReason.TooManyErrors -> "${percent(share)} of the requests failed (limit ${plainPercent(max)})"
    is ProbeReason.NotSent -> "only ${percent(share)} of the requests were sent in time (${plainPercent(min)} needed)"
    is ProbeReason.GrowingQueue ->
        "the queue grew: p50 rose from ${shortTime(firstMicros)} to ${shortTime(lastMicros)}" + outlook()
    is ProbeReason.AgentFull ->
        "the load agent ran at ${percent(share)} of its maximum throughput (limit ${plainPercent(max)})"
    is ProbeReason.AgentBusy ->
        "the load agent's event loops were busy ${percent(share)} of the time (limit ${plainPercent(max)})"
    is ProbeReason.AgentLate ->
        "the load agent sent requests up to ${shortTime(maxDelayMicros)} late (its event loop was delayed by " +
            "${shortTime(loopLagMicros)}); counted from sending, latency meets the goals"
}

/** What makes the outcome of a probe less certain. */
internal fun ProbeNote.words(): String = when (this) {
    is ProbeNote.FewAnswers ->
        "only ${counted(answers, "answer")} for ${measure.id} (${whole(needed.toDouble())} needed)" +
            if (longestTaken) ", so the maximum latency was used instead" else ""
    is ProbeNote.AgentNearLimit ->
        "the load agent ran at ${percent(share)} of its maximum throughput, so latency may include its own queueing"
    is ProbeNote.StolenTime -> "the hypervisor took ${percent(share)} of the CPU time (limit ${plainPercent(max)})"
    ProbeNote.NotRecovered -> "latency did not return to normal within the recovery time"
}

/** The prediction is left out where the limit is exceeded already. */
private fun ProbeReason.GrowingQueue.outlook() =
    if (lastMicros > maxMicros) " (limit ${shortTime(maxMicros)})" else
        " and would exceed ${shortTime(maxMicros)} within $horizonSeconds s"

/** [micros] in µs, ms or s, whichever fits. */
private fun shortTime(micros: Double): String = when {
    micros >= 1e6 -> "%.2f s".format(Locale.ROOT, micros / 1e6)
    micros >= 1e5 -> "%.0f ms".format(Locale.ROOT, micros / 1e3)
    micros >= 1e3 -> "%.1f ms".format(Locale.ROOT, micros / 1e3)
    else -> "%.0f µs".format(Locale.ROOT, micros)
}
