package threadgauge.wording.doubt

import threadgauge.model.ConcurrencyModel
import threadgauge.model.doubt.TargetDoubt
import threadgauge.wording.endWords
import threadgauge.wording.megabytes
import threadgauge.wording.plainPercent
import threadgauge.wording.whole
import threadgauge.wording.words

internal fun TargetDoubt.targetWords(): DoubtWords = when (this) {
    is TargetDoubt.NotSteady -> DoubtWords(
        plateau?.let { "measured at ${it.words()} of where it was heading, after ${whole(warmUp.millis / 1e3)} s of " +
            "warm-up (${warmUp.endWords()})" }
            ?: ("the target was still getting faster or slower after ${whole(warmUp.millis / 1e3)} s of warm-up " +
                "(${warmUp.endWords()})"),
        "Use a larger warm-up budget: `warm-up` in the file, --warm-up for `try` and `knee`.",
        "While its code is being compiled, a server may rank differently: continuous warm-up on few cores reversed " +
            "a ranking here.",
    )
    is TargetDoubt.GrowingMemory -> DoubtWords(
        "its resident memory grew from ${megabytes(fromBytes)} to ${megabytes(toBytes)} while it was measured, and " +
            "was still growing (limit ${plainPercent(limit)})",
        "Look for a leak, or give it a smaller heap (-Xmx) and a longer load, until its memory stays as it is.",
        "A process that keeps what it allocates gets slower with every collection, and takes memory from the others.",
    )
    is TargetDoubt.MislabelledModel -> DoubtWords(
        if (claimed == ConcurrencyModel.VIRTUAL_THREADS)
            "$stack is described as using virtual threads, but its handler ran on a platform thread, $thread"
        else "$stack is described as using platform threads, but its handler ran on a virtual thread",
        "Correct the stack's description, or the setting that should switch the model.",
        "The server reports at run time which thread ran its handler. A verdict on a model that did not run is void.",
    )
    is TargetDoubt.ImpossibleCounter -> DoubtWords(
        "garbage collectors report ${whole(collectionMillis)} ms of work in a window of ${whole(windowMillis)} ms",
        "Report an issue: Threadgauge misread a counter of the JVM.",
        "Collectors cannot work longer than the window on all cores. Counters since the start of the JVM can.",
    )
}
