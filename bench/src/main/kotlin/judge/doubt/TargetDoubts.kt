package threadgauge.judge.doubt

import threadgauge.judge.plateauOf
import threadgauge.model.ConcurrencyModel
import threadgauge.model.doubt.DoubtId
import threadgauge.model.doubt.TargetDoubt
import threadgauge.model.judgement.DoubtLimits
import threadgauge.stats.median

/** Doubts about the target: whether it was warm, and whether it used the model that it claims. */
internal val targetDoubts = listOf(
    SampleRule(DoubtId.NOT_STEADY) { e ->
        val warmUp = e.trial.warmUp ?: return@SampleRule null
        // Without iterations the warm-up was disabled, which `measured-cold` reports once for the whole run.
        if (warmUp.steady || warmUp.iterations.isEmpty()) return@SampleRule null
        val plateau = plateauOf(warmUp, e.situation.name)
        // Too uneven to be called steady, and yet known to be near enough.
        if (plateau != null && plateau.low >= 1 - DoubtLimits.BELOW_PLATEAU) return@SampleRule null
        suspect(TargetDoubt.NotSteady(warmUp.copy(iterations = emptyList()), plateau))
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

/** For a median of each third that a single reading does not decide. */
private const val MIN_READINGS = 2

/** Half of the growth is expected in the second half; a quarter of it is still growing. */
private const val STILL_GROWING = 4
