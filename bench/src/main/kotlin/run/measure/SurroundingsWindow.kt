package threadgauge.run.measure

import threadgauge.model.Surroundings
import threadgauge.probe.CpuTicks
import threadgauge.probe.MachineProbe
import threadgauge.probe.ProcessProbe
import threadgauge.probe.ReferenceLoop
import threadgauge.probe.Swapped

/**
 * What else goes on at the machine around one load: [before] it, from [open] to [close] while it is on, and [after] it.
 * Used once; belongs to the run's thread. [target] is null where it cannot be seen; [ours] are agents and coordinator,
 * which run on [ourCores].
 */
internal class SurroundingsWindow(
    private val reference: ReferenceLoop?,
    private val machine: MachineProbe,
    private val targetCores: List<Int>,
    private val ourCores: List<Int>,
    private val target: ProcessProbe?,
    private val ours: List<ProcessProbe>,
) {
    private var seen = Surroundings()
    private var opened: Moment? = null

    /** The target must be idle. */
    fun before() {
        val time = reference?.run()
        seen = seen.copy(
            referenceBeforeMicros = time?.medianMicros,
            referenceBeforeMeanMicros = time?.meanMicros,
            megahertzBefore = megahertz(),
        )
    }

    fun open() {
        opened = moment()
        seen = seen.copy(maxOpenFiles = target?.openFiles(), openFilesLimit = target?.openFilesLimit())
        reference?.watch()
    }

    fun close() {
        val first = opened ?: return
        val during = reference?.watched()
        val now = moment()
        seen = seen.copy(
            referenceDuringMicros = during,
            swappedInPages = first.swapped?.let { b -> now.swapped?.let { it.inPages - b.inPages } },
            swappedOutPages = first.swapped?.let { b -> now.swapped?.let { it.outPages - b.outPages } },
            otherBusyShare = otherBusy(first, now),
            takenFromTarget = takenFromTarget(first, now),
            maxOpenFiles = listOfNotNull(seen.maxOpenFiles, target?.openFiles()).maxOrNull(),
        )
    }

    /** Without a look at the idle target. */
    fun seen(): Surroundings = seen

    /** The target must be idle again. */
    fun after(): Surroundings {
        val time = reference?.run()
        return seen.copy(
            referenceAfterMicros = time?.medianMicros,
            referenceAfterMeanMicros = time?.meanMicros,
            megahertzAfter = megahertz(),
        )
    }

    private fun megahertz() = machine.frequency(targetCores)?.megahertz

    private fun moment() = Moment(
        ticks = machine.ticks(),
        // What agent and coordinator do is no cause from outside: it goes with the target's throughput.
        ticksOfTarget = if (targetCores.any { it in ourCores }) null else machine.ticks(targetCores),
        swapped = machine.swapped,
        targetMillis = target?.let { cpuMillis(listOf(it)) },
        ourMillis = cpuMillis(ours),
    )

    /** Null where one of the [processes] is gone, or the system does not tell its time. */
    private fun cpuMillis(processes: List<ProcessProbe>): Double? =
        processes.map { it.read() ?: return null }.sumOf { it.cpuUserMillis + it.cpuSystemMillis }

    private class Moment(
        val ticks: CpuTicks?,
        val ticksOfTarget: CpuTicks?,
        val swapped: Swapped?,
        val targetMillis: Double?,
        val ourMillis: Double?,
    ) {
        val cpuMillis: Double? get() = targetMillis?.let { target -> ourMillis?.plus(target) }
    }

    private fun otherBusy(first: Moment, now: Moment): Double? {
        val spent = (now.cpuMillis ?: return null) - (first.cpuMillis ?: return null)
        return (now.ticks ?: return null).otherSince(first.ticks ?: return null, spent)
    }

    private fun takenFromTarget(first: Moment, now: Moment): Double? {
        val spent = (now.targetMillis ?: return null) - (first.targetMillis ?: return null)
        return (now.ticksOfTarget ?: return null).takenSince(first.ticksOfTarget ?: return null, spent)
    }
}
