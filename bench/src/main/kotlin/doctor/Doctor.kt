package threadgauge.doctor

import java.nio.file.Path
import threadgauge.model.Checkup
import threadgauge.model.CpuFrequency
import threadgauge.model.EqualRound
import threadgauge.model.MachineFacts
import threadgauge.model.VERSION
import threadgauge.probe.MachineProbe
import threadgauge.probe.clockReadNanos
import threadgauge.run.Cancellation
import threadgauge.run.Cancelled
import threadgauge.run.RunFailed
import threadgauge.run.agent.Calibration
import threadgauge.run.agent.onInternalServer
import threadgauge.run.agent.startAgents
import threadgauge.run.forTheUser
import threadgauge.target.Cores
import threadgauge.target.moveToCores

/**
 * Examines this machine and runs the load agent on it: look → start agent → warm up → rounds → lags → equal servers. It
 * only measures; conclusions are drawn from the [Checkup]. Every process is stopped, also after a failure.
 */
class Doctor(
    private val logs: Path,
    private val cancellation: Cancellation,
    private val listener: (DoctorEvent) -> Unit,
) {
    private val cores = Cores.ofThisMachine
    private val used =
        if (cores.pinned) cores.target + cores.agent else (0..<Runtime.getRuntime().availableProcessors()).toList()
    private val machine = MachineProbe()

    /** Throws [Cancelled] if the user interrupts it, and [RunFailed] if the agent or the internal server fails. */
    fun examine(): Checkup = try {
        listener(DoctorEvent.Looking)
        val before = Before(machine.busyShare(BUSY_MILLIS), clockReadNanos())
        cancellation.check()
        moveToCores(ProcessHandle.current().pid(), cores.agent, wholeProcess = true)
        listener(DoctorEvent.WarmingUp)
        cancellation.using(startAgents(1, cores, logs)) { agents ->
            onInternalServer(agents, cores, logs, cancellation) { server ->
                agents.awaitReady()
                measure(server, before) {
                    onInternalServer(agents, cores, logs, cancellation, "second-server.log") { second ->
                        EqualServers(server, second, cancellation, ::hearRound).measure()
                    }
                }
            }
        }
    } catch (failure: Exception) {
        if (cancellation.isCancelled) throw Cancelled()
        throw failure.forTheUser()
    }

    private fun measure(calibration: Calibration, before: Before, equalServers: () -> List<EqualRound>): Checkup {
        calibration.warmUp()
        calibration.sendLag(LAG_RATES.last(), LAG_WARM_UP_NANOS)
        val ticks = machine.ticks()
        val rounds = (1..ROUNDS).map { number ->
            cancellation.check()
            listener(DoctorEvent.Racing(number, ROUNDS))
            calibration.round(ROUND_NANOS)
        }
        // Now, before the cores reduce their frequency.
        val frequency = machine.frequency(used)
        val lags = LAG_RATES.map { rate ->
            cancellation.check()
            listener(DoctorEvent.Pacing(rate))
            calibration.sendLag(rate, LAG_NANOS)
        }
        val facts = facts(before, frequency)
        cancellation.check()
        listener(DoctorEvent.StartingSecond)
        val equal = equalServers()
        cancellation.check()
        val steal = ticks?.let { earlier -> machine.ticks()?.stolenSince(earlier) }
        return Checkup(VERSION, facts, rounds, lags, steal, equal)
    }

    private fun hearRound(number: Int, of: Int) = listener(DoctorEvent.Comparing(number, of))

    private fun facts(before: Before, frequency: CpuFrequency?) = MachineFacts(
        cpu = machine.cpu,
        operatingSystem = machine.operatingSystem,
        kernel = machine.kernel,
        java = machine.java,
        cores = used.size,
        targetCores = cores.target,
        agentCores = cores.agent,
        quotaCores = machine.quotaCores,
        frequency = frequency,
        clockSource = machine.clockSource,
        clockReadNanos = before.clockReadNanos,
        memoryBytes = machine.memoryBytes,
        memoryAvailableBytes = machine.memoryAvailableBytes,
        swapUsedBytes = machine.swapUsedBytes,
        busyBefore = before.busy,
        files = machine.fileLimits,
        network = machine.network,
    )

    /** Facts that must be read before anything is started. */
    private class Before(val busy: Double?, val clockReadNanos: Double)

    companion object {
        /** Approximate duration of [examine]; starting two processes and warming up takes 5 s on an idle machine. */
        const val SECONDS = 14 + EqualServers.SECONDS

        private const val BUSY_MILLIS = 500L
        private const val ROUNDS = 5
        private const val ROUND_NANOS = 400_000_000L
        private val LAG_RATES = listOf(1_000.0, 5_000.0)
        private const val LAG_NANOS = 2_500_000_000L
        private const val LAG_WARM_UP_NANOS = 300_000_000L
    }
}

/** The next step of the doctor. Called on its thread, in order; a listener must return quickly. */
sealed interface DoctorEvent {
    data object Looking : DoctorEvent
    data object WarmingUp : DoctorEvent

    /** Round [number] of [of] begins. */
    data class Racing(val number: Int, val of: Int) : DoctorEvent

    /** An open load of [ratePerSecond] begins. */
    data class Pacing(val ratePerSecond: Double) : DoctorEvent

    /** A second server starts and warms up. */
    data object StartingSecond : DoctorEvent

    /** Round [number] of [of] of two equal servers begins. */
    data class Comparing(val number: Int, val of: Int) : DoctorEvent
}
