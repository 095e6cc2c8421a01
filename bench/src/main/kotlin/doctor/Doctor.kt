package threadgauge.doctor

import java.nio.file.Path
import threadgauge.load.agent.AgentDied
import threadgauge.model.Checkup
import threadgauge.model.CpuFrequency
import threadgauge.model.MachineFacts
import threadgauge.probe.MachineProbe
import threadgauge.probe.clockReadNanos
import threadgauge.run.Cancellation
import threadgauge.run.Cancelled
import threadgauge.run.RunFailed
import threadgauge.run.VERSION
import threadgauge.run.agent.Calibration
import threadgauge.run.agent.onInternalServer
import threadgauge.run.agent.startAgents
import threadgauge.target.Cores
import threadgauge.target.TargetFailed
import threadgauge.target.moveToCores

/**
 * Looks at this machine and lets the load agent run on it: look → start agent → warm up → rounds → lags. Measures only;
 * what it means is found out later, from the [Checkup] alone. Whatever goes wrong, every process is stopped.
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

    /** Throws [Cancelled] when the user ends it, and [RunFailed] when the agent or the internal server fails. */
    fun examine(): Checkup = try {
        listener(DoctorEvent.Looking)
        val before = Before(machine.busyShare(BUSY_MILLIS), clockReadNanos())
        cancellation.check()
        moveToCores(ProcessHandle.current().pid(), cores.agent, wholeProcess = true)
        listener(DoctorEvent.WarmingUp)
        cancellation.using(startAgents(1, cores, logs)) { agents ->
            onInternalServer(agents, cores, logs, cancellation) {
                agents.awaitReady()
                measure(it, before)
            }
        }
    } catch (failure: Exception) {
        if (cancellation.isCancelled) throw Cancelled()
        throw if (failure is AgentDied || failure is TargetFailed) {
            RunFailed(failure.message.orEmpty(), failure)
        } else {
            failure
        }
    }

    private fun measure(calibration: Calibration, before: Before): Checkup {
        calibration.warmUp()
        calibration.sendLag(LAG_RATES.last(), LAG_WARM_UP_NANOS)
        val ticks = machine.ticks()
        val rounds = (1..ROUNDS).map { number ->
            cancellation.check()
            listener(DoctorEvent.Racing(number, ROUNDS))
            calibration.round(ROUND_NANOS)
        }
        // Now, while the cores have not yet had time to fall back to a slower pace.
        val frequency = machine.frequency(used)
        val lags = LAG_RATES.map { rate ->
            cancellation.check()
            listener(DoctorEvent.Pacing(rate))
            calibration.sendLag(rate, LAG_NANOS)
        }
        cancellation.check()
        val steal = ticks?.let { earlier -> machine.ticks()?.stolenSince(earlier) }
        return Checkup(VERSION, facts(before, frequency), rounds, lags, steal)
    }

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

    /** What must be read before anything is started. */
    private class Before(val busy: Double?, val clockReadNanos: Double)

    companion object {
        /** About how long [examine] takes: starting two processes and warming up takes 5 s on an idle machine. */
        const val SECONDS = 14

        private const val BUSY_MILLIS = 500L
        private const val ROUNDS = 5
        private const val ROUND_NANOS = 400_000_000L
        private val LAG_RATES = listOf(1_000.0, 5_000.0)
        private const val LAG_NANOS = 2_500_000_000L
        private const val LAG_WARM_UP_NANOS = 300_000_000L
    }
}

/** What the doctor is about to do. Heard on its own thread, in order; a listener must be quick. */
sealed interface DoctorEvent {
    data object Looking : DoctorEvent
    data object WarmingUp : DoctorEvent

    /** Round [number] of [of] begins. */
    data class Racing(val number: Int, val of: Int) : DoctorEvent

    /** An open load of [ratePerSecond] begins. */
    data class Pacing(val ratePerSecond: Double) : DoctorEvent
}
