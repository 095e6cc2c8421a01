package threadgauge.judge

/** Doubts about the machine while it was measured. */
internal val machineDoubts = listOf(
    SampleRule(
        "stolen-time",
        "2 % of the time is two thirds of the margin below which differences do not count.",
        "Use a machine that is not shared, or more repeats.",
    ) { e ->
        val steal = e.sample.cost.steal ?: return@SampleRule null
        if (steal > 0.02) suspect("the hypervisor took ${percent(steal)} of the machine's time (limit 2 %)") else null
    },
)
