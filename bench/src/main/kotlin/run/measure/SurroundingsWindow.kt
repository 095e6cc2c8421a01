package threadgauge.run.measure

import threadgauge.model.Surroundings
import threadgauge.probe.CpuTicks
import threadgauge.probe.MachineProbe
import threadgauge.probe.ProcessProbe
import threadgauge.probe.ReferenceLoop
import threadgauge.probe.Swapped

/**
 * Observes the rest of the machine around one load: [before] it, from [open] to [close] during it, and [after] it. Used
 * once; belongs to the run's thread. [target] is null if it cannot be observed. [ours] are the agents, the coordinator
 * and the services, on [ourCores].
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

    /** Runs the reference loop; the target must be idle. */
    fun before() {
        val time = reference?.run()
        seen = seen.copy(
            referenceBeforeMicros = time?.medianMicros,
            referenceBeforeMeanMicros = time?.meanMicros,
            megahertzBefore = megahertz(),
        )
    }

    /** The load begins. */
    fun open() {
        opened = moment()
        seen = seen.copy(maxOpenFiles = target?.openFiles(), openFilesLimit = target?.openFilesLimit())
        reference?.watch()
    }

    /** The load has ended. */
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

    /** The result without a reference run after the load. */
    fun seen(): Surroundings = seen

    /** Runs the reference loop again and returns the result; the target must be idle. */
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
        // On shared cores, time of agent and coordinator is no disturbance: it rises with the target's throughput.
        ticksOfTarget = if (targetCores.any { it in ourCores }) null else machine.ticks(targetCores),
        swapped = machine.swapped,
        targetMillis = target?.let { cpuMillis(listOf(it)) },
        ourMillis = cpuMillis(ours),
        atNanos = System.nanoTime(),
    )

    /** CPU time; null if one of the [processes] is gone, or the system does not report it. */
    private fun cpuMillis(processes: List<ProcessProbe>): Double? =
        processes.map { it.read() ?: return null }.sumOf { it.cpuMillis }

    private class Moment(
        val ticks: CpuTicks?,
        val ticksOfTarget: CpuTicks?,
        val swapped: Swapped?,
        val targetMillis: Double?,
        val ourMillis: Double?,
        val atNanos: Long,
    ) {
        val cpuMillis: Double? get() = targetMillis?.let { target -> ourMillis?.plus(target) }
    }

    /** As [Surroundings.otherBusyShare]. */
    private fun otherBusy(first: Moment, now: Moment): Double? {
        val spent = (now.cpuMillis ?: return null) - (first.cpuMillis ?: return null)
        return (now.ticks ?: return null).otherSince(first.ticks ?: return null, spent)
    }

    /** As [Surroundings.takenFromTarget]. */
    private fun takenFromTarget(first: Moment, now: Moment): Double? {
        val spent = (now.targetMillis ?: return null) - (first.targetMillis ?: return null)
        val millis = (now.atNanos - first.atNanos) / 1e6 * targetCores.size
        return (now.ticksOfTarget ?: return null).takenSince(first.ticksOfTarget ?: return null, spent, millis)
    }
}
