package threadgauge.run

import threadgauge.model.Environment
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.model.VERSION
import threadgauge.model.plan.Plan
import threadgauge.probe.MachineProbe
import threadgauge.run.launch.buildsOf
import threadgauge.store.RecordFolder
import threadgauge.store.RecordWriter
import threadgauge.store.wallClock
import threadgauge.target.Cores

/**
 * Creates the record of a run of [plan], or resumes [before]. Called before anything is started; [busy] is the share of
 * the machine that is in use by then, 0 to 1, null if unknown. Throws [NotResumable] and `RecordNotWritten`.
 */
internal fun beginRecord(
    plan: Plan,
    folder: RecordFolder,
    before: Record?,
    machine: MachineProbe,
    busy: Double?,
): RecordWriter {
    val at = wallClock()
    val environment = environmentOf(machine, Cores.ofThisMachine, busy)
    val builds = buildsOf(plan.stacks)
    val begun = if (before != null) carriedOn(before, environment, builds, at) else Record(
        id = folder.path.fileName.toString(),
        startedAt = at,
        state = RunState.RUNNING,
        plan = plan,
        environment = environment,
        builds = builds,
    )
    return RecordWriter(folder, begun)
}

private fun environmentOf(machine: MachineProbe, cores: Cores, busy: Double?) = Environment(
    threadgauge = VERSION,
    cpu = machine.cpu,
    cores = if (cores.pinned) cores.target.size + cores.agent.size else machine.cores,
    memoryBytes = machine.memoryBytes,
    operatingSystem = machine.operatingSystem,
    kernel = machine.kernel,
    java = machine.java,
    fileLimit = machine.fileLimit,
    busyBefore = busy,
    targetCores = cores.target,
    agentCores = cores.agent,
    settings = machine.settings(),
)
