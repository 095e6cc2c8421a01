package threadgauge.run

import threadgauge.model.Environment
import threadgauge.model.Plan
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.model.VERSION
import threadgauge.probe.MachineProbe
import threadgauge.run.launch.buildsOf
import threadgauge.store.RecordFolder
import threadgauge.store.RecordWriter
import threadgauge.store.wallClock
import threadgauge.target.Cores

/**
 * Begins the record of a run of [plan], or resumes the one of [before], when nothing has been started; of the machine a
 * share of [busy] is at work. Throws [NotResumable].
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
