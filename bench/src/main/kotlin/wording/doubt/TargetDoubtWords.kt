package threadgauge.wording.doubt

import threadgauge.model.ConcurrencyModel
import threadgauge.model.doubt.TargetDoubt
import threadgauge.wording.endWords
import threadgauge.wording.whole

internal fun TargetDoubt.targetWords(): DoubtWords = when (this) {
    is TargetDoubt.NotSteady -> DoubtWords(
        "the target was still getting faster or slower after ${whole(warmUp.millis / 1e3)} s of warm-up " +
            "(${warmUp.endWords()})",
        "Give the warm-up a larger budget: `warm-up` in the experiment file, --warm-up for `try` and `knee`.",
        "A server that is still being compiled may change places with another: continuous warm-up on few cores " +
            "reversed a ranking here.",
    )
    is TargetDoubt.MislabelledModel -> DoubtWords(
        if (claimed == ConcurrencyModel.VIRTUAL_THREADS)
            "$stack says that it uses virtual threads, and ran on a platform thread, $thread"
        else "$stack says that it uses platform threads, and ran its handler on a virtual one",
        "Correct the stack's description, or the setting that was meant to switch the model.",
        "The server says at run time which thread ran its handler; a verdict about a model that was not at work is " +
            "about nothing.",
    )
    is TargetDoubt.ImpossibleCounter -> DoubtWords(
        "collectors report ${whole(collectionMillis)} ms of work in a window of ${whole(windowMillis)} ms",
        "Tell us: a counter of the JVM was misread.",
        "Collectors cannot work for longer than the wall clock ran on all cores; counters that add up over a whole " +
            "life do so easily.",
    )
}
