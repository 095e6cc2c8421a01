package threadgauge.judge.doubt

import threadgauge.model.ConcurrencyModel
import threadgauge.model.doubt.DoubtId
import threadgauge.model.doubt.TargetDoubt
import threadgauge.model.doubt.TrialShare
import threadgauge.model.judgement.DoubtLimits
import threadgauge.model.judgement.Validity
import threadgauge.model.plan.Plateau
import threadgauge.stats.median

/** Doubts about the target: whether it was warm, and whether it used the model that it claims. */
internal val targetDoubts = listOf(
    CellRule(DoubtId.NOT_STEADY) { c ->
        // Without iterations the warm-up was disabled, which `measured-cold` reports once for the whole run.
        val unsteady = c.trials.mapNotNull { it.warmUp }.filter { !it.steady && it.iterations.isNotEmpty() }
        val longest = unsteady.maxByOrNull { it.millis } ?: return@CellRule null
        // Too uneven to be called steady, and yet known to be near enough.
        if (c.plateau != null && c.plateau.isNear) return@CellRule null
        DoubtResult(
            Validity.SUSPECT, TargetDoubt.NotSteady(longest.copy(iterations = emptyList()), c.plateau),
            TrialShare(unsteady.size, c.trials.size),
        )
    },
    SampleRule(DoubtId.GROWING_MEMORY) { e ->
        val bytes = e.sample.process.map { it.rssBytes.toDouble() }
        val third = bytes.size / 3
        if (third < MIN_READINGS) return@SampleRule null
        val first = median(bytes.take(third))
        val last = median(bytes.takeLast(third))
        val grown = last - first
        val isLarge = grown > DoubtLimits.GROWN_MEMORY * first && grown > DoubtLimits.GROWN_MEMORY_BYTES
        // A heap that has found its size grows no more.
        val goesOn = last - median(bytes.subList(third, bytes.size - third)) > grown / STILL_GROWING
        val found = TargetDoubt.GrowingMemory(first.toLong(), last.toLong(), DoubtLimits.GROWN_MEMORY)
        if (isLarge && goesOn) suspect(found) else null
    },
    SampleRule(DoubtId.MISLABELLED_MODEL) { e ->
        val runtime = e.trial.runtime ?: return@SampleRule null
        val virtual = runtime.handlerThread.virtual
        val found = TargetDoubt.MislabelledModel(e.trial.stack, runtime.model, runtime.handlerThread.name)
        when {
            runtime.model == ConcurrencyModel.VIRTUAL_THREADS && !virtual -> invalid(found)
            runtime.model == ConcurrencyModel.PLATFORM_THREADS && virtual -> invalid(found)
            else -> null
        }
    },
    SampleRule(DoubtId.IMPOSSIBLE_COUNTER) { e ->
        val jvm = e.sample.cost.jvm ?: return@SampleRule null
        val windowMillis = e.sample.cost.windowMillis
        val possible = windowMillis * maxOf(1, e.environment.cores)
        if (jvm.collectionMillis > possible) {
            invalid(TargetDoubt.ImpossibleCounter(jvm.collectionMillis, windowMillis))
        } else {
            null
        }
    },
)

/** Found there, and not too far below it for all that is known. */
private val Plateau.isNear get() = share >= 1 - DoubtLimits.BELOW_PLATEAU && low >= 1 - DoubtLimits.MAYBE_BELOW_PLATEAU

/** For a median of each third that a single reading does not decide. */
private const val MIN_READINGS = 2

/** Half of the growth is expected in the second half; a quarter of it is still growing. */
private const val STILL_GROWING = 4
