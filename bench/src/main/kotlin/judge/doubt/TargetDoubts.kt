package threadgauge.judge.doubt

import threadgauge.model.ConcurrencyModel
import threadgauge.model.WarmUp
import threadgauge.wording.whole

/** Doubts about the target: was it warm, and was it what it says it is? */
internal val targetDoubts = listOf(
    SampleRule(
        "not-steady",
        "A server that is still being compiled may change places with another: continuous warm-up on few cores reversed a ranking here.",
        "Give the warm-up a larger budget: `warm-up` in the experiment file, --warm-up for `try` and `knee`.",
    ) { e ->
        val warmUp = e.trial.warmUp ?: return@SampleRule null
        when {
            warmUp.steady -> null
            // Without a iteration none was asked for, which `measured-cold` tells once, about the whole run.
            warmUp.iterations.isEmpty() -> null
            else -> suspect("the target was still getting faster or slower after ${warmUp.describe()}")
        }
    },
    SampleRule(
        "mislabelled-model",
        "The server says at run time which thread ran its handler; a verdict about a model that was not at work is about nothing.",
        "Correct the stack's description, or the setting that was meant to switch the model.",
    ) { e ->
        val runtime = e.trial.runtime ?: return@SampleRule null
        val virtual = runtime.handlerThread.virtual
        val claimed = e.trial.stack
        when {
            runtime.model == ConcurrencyModel.VIRTUAL_THREADS && !virtual ->
                invalid("$claimed says that it uses virtual threads, and ran on a platform thread, ${runtime.handlerThread.name}")
            runtime.model == ConcurrencyModel.PLATFORM_THREADS && virtual ->
                invalid("$claimed says that it uses platform threads, and ran its handler on a virtual one")
            else -> null
        }
    },
    SampleRule(
        "impossible-counter",
        "Collectors cannot work for longer than the wall clock ran on all cores; counters that add up over a whole life do so easily.",
        "Tell us: a counter of the JVM was misread.",
    ) { e ->
        val jvm = e.sample.cost.jvm ?: return@SampleRule null
        val most = e.sample.cost.windowMillis * maxOf(1, e.environment.cores)
        val seen = "collectors report ${whole(jvm.collectionMillis)} ms of work in a window of ${whole(e.sample.cost.windowMillis)} ms"
        if (jvm.collectionMillis > most) invalid(seen) else null
    },
)

private fun WarmUp.describe() = "${whole(millis / 1e3)} s of warm-up ($reason)"
