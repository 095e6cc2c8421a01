package threadgauge.judge.doubt

import kotlin.math.abs
import threadgauge.model.Load
import threadgauge.model.TrialState
import threadgauge.model.doubt.DoubtId
import threadgauge.model.doubt.LoadDoubt
import threadgauge.model.judgement.DoubtLimits
import threadgauge.model.lengthNanos
import threadgauge.model.request.meanThinkNanos
import threadgauge.model.whyFailed
import threadgauge.stats.Grade
import threadgauge.stats.median
import threadgauge.stats.outliers

/** Doubts about the load and its answers. */
internal val loadDoubts = listOf(
    SampleRule(DoubtId.LITTLES_LAW) { e ->
        val load = e.situation.load as? Load.Users ?: return@SampleRule null
        val users = load.users * (1 - minOf(1.0, load.rampInNanos.toDouble() / load.forNanos) / 2)
        val roundSeconds = e.sample.latency.meanMicros / 1e6 + e.situation.meanThinkNanos / 1e9
        // The last request of a user may be in flight mostly after the end. It is counted for the lower limit, not for
        // the upper one.
        val windowSeconds = e.sample.windowMillis / 1e3
        val most = e.sample.counts.sent / windowSeconds * roundSeconds / users
        val least = maxOf(0L, e.sample.counts.sent - load.users) / windowSeconds * roundSeconds / users
        val share = 1.0.coerceIn(least, most)
        val off = abs(share - 1)
        val found = LoadDoubt.LittlesLaw(share, users, DoubtLimits.LITTLES_LAW)
        when {
            off > DoubtLimits.LITTLES_LAW_INVALID -> invalid(found)
            off > DoubtLimits.LITTLES_LAW -> suspect(found)
            else -> null
        }
    },
    SampleRule(DoubtId.FAILURES) { e ->
        val counts = e.sample.counts
        val share = counts.failed.toDouble() / maxOf(1, counts.scheduled)
        val found = LoadDoubt.Failures(share, DoubtLimits.FAILURES, counts.failures, counts.unfinished, counts.unsent)
        when {
            share > DoubtLimits.FAILURES_INVALID -> invalid(found)
            share > DoubtLimits.FAILURES -> suspect(found)
            else -> null
        }
    },
    SampleRule(DoubtId.LEFT_OVER) { e ->
        val millis = e.sample.putOffMillis
        val found = LoadDoubt.LeftOver(millis, DoubtLimits.LEFT_OVER_WAIT_MINUTES)
        if (millis == null) invalid(found) else if (millis > DoubtLimits.LEFT_OVER_MILLIS) note(found) else null
    },
    SampleRule(DoubtId.FEW_SAMPLES) { e ->
        val count = e.sample.latency.count
        val needed = DoubtLimits.ANSWERS_FOR_P99
        if (count in 1..<needed) suspect(LoadDoubt.FewSamples(count, needed)) else null
    },
    SampleRule(DoubtId.SHORT_WINDOW) { e ->
        // Other loads end with their last answer.
        if (e.situation.load.lengthNanos == null) return@SampleRule null
        val window = e.sample.windowMillis
        val times = e.sample.serviceTime.takeIf { it.count > 0 }
        val quickest = times?.let { it.minMicros / 1e3 }
        val typical = times?.let { it.p50Micros / 1e3 }
        val counts = e.sample.counts
        val late = 1 - e.sample.answeredInWindow.toDouble() / maxOf(1, counts.answered + counts.unfinished)
        val noneInTime = e.sample.answeredInWindow == 0L && counts.answered + counts.unfinished > 0

        // Of a load that queues up, answers come late, too; but not the first.
        fun isShort(limit: Double) = late > limit && (quickest ?: 0.0) > limit * window
        val mostlyLate = late > DoubtLimits.SHORT_WINDOW_INVALID && typical != null && typical > window
        val isInvalid = noneInTime || mostlyLate || isShort(DoubtLimits.SHORT_WINDOW_INVALID)
        fun found(limit: Double) = LoadDoubt.ShortWindow(window, quickest, typical, limit)
        when {
            isInvalid -> invalid(found(DoubtLimits.SHORT_WINDOW_INVALID))
            // Of a closed load the ceilings count whole answers alone.
            e.situation.load is Load.Open && isShort(DoubtLimits.SHORT_WINDOW) ->
                suspect(found(DoubtLimits.SHORT_WINDOW))
            else -> null
        }
    },
    CellRule(DoubtId.UNEQUAL_WORK) { c ->
        // If several answers are correct, their frequencies are part of the result.
        if (c.situation.request.expect.statuses.size > 1) return@CellRule null
        // Users draw what they do next, so the mix of steps differs from stack to stack, and with it the average.
        if (c.situation.scenarios.isNotEmpty()) return@CellRule null
        val own = bodyBytes(c, c.stack.name) ?: return@CellRule null
        val all = c.record.plan.stacks.mapNotNull { bodyBytes(c, it.name) }
        val typical = median(all)
        val limit = DoubtLimits.UNEQUAL_WORK
        val differs = all.size > 1 && abs(own - typical) > limit * maxOf(typical, 1.0)
        if (differs) suspect(LoadDoubt.UnequalWork(own, typical, limit)) else null
    },
    CellRule(DoubtId.OUTLIER) { c ->
        val worst = outliers(c.samples.map { it.perSecond }).maxByOrNull { it.grade } ?: return@CellRule null
        val measured = c.trials.filter { trial -> trial.samples.any { it.situation == c.situation.name } }
        val isSevere = worst.grade == Grade.SEVERE
        val found = LoadDoubt.Outlier(measured[worst.index].number, worst.off, isSevere)
        if (isSevere) suspect(found) else note(found)
    },
    CellRule(DoubtId.NOT_MEASURED) { c ->
        // One that died between its slices has some, and says so.
        val missing = c.trials.filter { trial ->
            trial.samples.none { it.situation == c.situation.name } ||
                trial.state == TrialState.FAILED && trial.slices.isNotEmpty()
        }
        if (missing.isEmpty()) return@CellRule null
        val failure = missing.firstOrNull { it.state == TrialState.FAILED }?.whyFailed
        val found = LoadDoubt.NotMeasured(missing.size, c.trials.size, failure)
        if (c.samples.isEmpty()) invalid(found) else suspect(found)
    },
)

/** Mean length of a correct answer of [stack], unpacked; null where there was none. */
private fun bodyBytes(c: CellEvidence, stack: String): Double? {
    val samples =
        c.record.trials.filter { it.stack == stack }.flatMap { it.samples }.filter { it.situation == c.situation.name }
    val answers = samples.sumOf { it.counts.answered }
    return if (answers == 0L) null else samples.sumOf { it.received.unpackedBytes }.toDouble() / answers
}
