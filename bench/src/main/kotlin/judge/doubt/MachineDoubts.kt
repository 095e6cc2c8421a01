package threadgauge.judge.doubt

import kotlin.math.abs
import threadgauge.model.Surroundings
import threadgauge.wording.percent
import threadgauge.wording.whole

/** Doubts about the machine while it was measured. */
internal val machineDoubts = listOf(
    SampleRule(
        "stolen-time",
        "2 % of the time is two thirds of the margin below which differences do not count.",
        "Use a machine that is not shared, or more trials.",
    ) { e ->
        val steal = e.sample.cost.steal ?: return@SampleRule null
        if (steal > 0.02) suspect("the hypervisor took ${percent(steal)} of the machine's time (limit 2 %)") else null
    },
    SampleRule(
        "other-programs",
        "5 % of the machine is a tenth of a core on two cores: as much as a margin of 3 % and the accuracy of the figure, 1 %, allow.",
        "Close what else is running, and run again.",
    ) { e ->
        val other = e.sample.surroundings?.otherBusyShare ?: return@SampleRule null
        if (other > 0.05) suspect("other programs kept ${percent(other)} of the machine at work (limit 5 %)") else null
    },
    SampleRule(
        "noise",
        "The reference loop needs nothing but the core, so what changes its time changes the server's: 10 % is three times the margin.",
        "Use a machine that is not shared, close what else is running, or take more trials.",
    ) { e ->
        val around = e.sample.surroundings ?: return@SampleRule null
        val before = around.referenceBeforeMicros ?: return@SampleRule null
        val after = around.referenceAfterMicros ?: return@SampleRule null
        val change = after / before - 1
        val taken = around.coreTakenShare
        val way = if (change > 0) "longer" else "less"
        when {
            abs(change) > 0.10 ->
                suspect("a fixed piece of work took ${percent(abs(change))} $way after the load than before (limit 10 %)")
            taken != null && taken > 0.25 -> suspect(
                "others held the target's core for ${percent(taken)} of the time just before or after the load (limit 25 %)",
            )
            else -> null
        }
    },
    SampleRule(
        "core-speed",
        "A core at another frequency serves at another rate, nearly in proportion; 5 % is beyond any margin that is usual.",
        "Have the cores run at one speed: governor performance, power supply plugged in, a cool machine.",
    ) { e ->
        val before = e.sample.surroundings?.megahertzBefore ?: return@SampleRule null
        val after = e.sample.surroundings.megahertzAfter ?: return@SampleRule null
        val seen = "the target's core ran at ${whole(before)} MHz before the load and at ${whole(after)} MHz after it (limit 5 % apart)"
        if (abs(after / before - 1) > 0.05) suspect(seen) else null
    },
    SampleRule(
        "swapping",
        "A page from the disk takes milliseconds, a request microseconds: a hundred of them are a pause that everybody sees.",
        "Close what needs much memory, or use a machine that has more.",
    ) { e ->
        val around = e.sample.surroundings ?: return@SampleRule null
        val pages = (around.swappedInPages ?: 0) + (around.swappedOutPages ?: 0)
        if (pages > 100) suspect("the machine swapped ${whole(pages.toDouble())} pages in or out (limit 100)") else null
    },
    SampleRule(
        "file-limit",
        "A server that has no file left for a connection refuses it or waits: then the limit is measured. Logs need some, too.",
        "Raise the limit of open files for the server: `ulimit -n`.",
    ) { e ->
        val open = e.sample.surroundings?.maxOpenFiles ?: return@SampleRule null
        val limit = e.sample.surroundings.openFilesLimit ?: return@SampleRule null
        val seen = "the target had ${whole(open.toDouble())} of at most ${whole(limit.toDouble())} files open (limit 90 %)"
        if (open > 0.9 * limit) suspect(seen) else null
    },
)

/** Share of the time around the load in which somebody else ran on the target's core: mean less median of the reference, of the mean. */
private val Surroundings.coreTakenShare: Double?
    get() = listOfNotNull(
        share(referenceBeforeMicros, referenceBeforeMeanMicros),
        share(referenceAfterMicros, referenceAfterMeanMicros),
    ).maxOrNull()

private fun share(median: Double?, mean: Double?) = if (median == null || mean == null || mean <= 0) null else 1 - median / mean
