package threadgauge.run

import threadgauge.load.agent.Agents
import threadgauge.model.plan.Plan
import threadgauge.probe.MachineProbe
import threadgauge.probe.ReferenceLoop
import threadgauge.run.agent.Fleet
import threadgauge.run.launch.Services
import threadgauge.run.launch.Training
import threadgauge.store.RecordFolder
import threadgauge.store.RecordWriter
import threadgauge.target.Cores

/** What all parts of one run share from its start. Belongs to the run's thread. */
internal class RunContext(
    val plan: Plan,
    val folder: RecordFolder,
    val writer: RecordWriter,
    val cores: Cores,
    val machine: MachineProbe,
    val cancellation: Cancellation,
    val tell: RunListener,
    val pauses: PauseWatch = PauseWatch(),
    val patience: Patience = Patience(),
)

/**
 * Everything that runs beside the stacks while they are measured one after the other. Stopped by the code that launched
 * it.
 */
internal class Surrounding(
    val agents: Agents,
    val services: Services,
    val training: Training,
    val reference: ReferenceLoop,
    /** Of which [agents] are; null for agents of this machine. */
    val fleet: Fleet? = null,
)
