package threadgauge.judge.machine

import threadgauge.model.MachineFacts
import threadgauge.model.judgement.DoctorThresholds
import threadgauge.model.judgement.DoubtLimits
import threadgauge.model.judgement.FindingFact
import threadgauge.model.judgement.FindingId

/** The hardware and the load of the machine. */
internal val machineRules = listOf(
    FindingRule(FindingId.CORES) { c ->
        val m = c.machine
        when {
            m.cores < DoctorThresholds.MIN_CORES ->
                problem(FindingFact.NotPinned(m.cores, FindingFact.Cause.TOO_FEW_CORES))
            m.targetCores.isEmpty() && !m.isLinux -> note(FindingFact.NotPinned(m.cores, FindingFact.Cause.SYSTEM))
            m.targetCores.isEmpty() -> note(FindingFact.NotPinned(m.cores, FindingFact.Cause.NO_TASKSET))
            else -> fine(FindingFact.Pinned(m.cores, m.targetCores, m.agentCores))
        }
    },
    // With a quota below the number of cores, the kernel stops all threads of the group for the rest of each period
    // (100 ms by default) once the quota is used up: Linux, Documentation/scheduler/sched-bwc.
    FindingRule(FindingId.CPU_QUOTA) { c ->
        val quota = c.machine.quotaCores
        val fact = FindingFact.Quota(quota, c.machine.cores)
        if (quota != null && quota < c.machine.cores) problem(fact) else fine(fact)
    },
    FindingRule(FindingId.BUSY_MACHINE) { c ->
        val busy = c.machine.busyBefore
        when {
            busy == null -> unknown()
            busy > DoctorThresholds.MAX_BUSY -> problem(FindingFact.Busy(busy, DoctorThresholds.MAX_BUSY))
            busy > DoubtLimits.BUSY_BEFORE -> note(FindingFact.Busy(busy, DoubtLimits.BUSY_BEFORE))
            else -> fine(FindingFact.Busy(busy))
        }
    },
    FindingRule(FindingId.STOLEN_TIME) { c ->
        val steal = c.steal
        when {
            steal == null -> unknown()
            steal > DoctorThresholds.MAX_STEAL -> problem(FindingFact.Stolen(steal, DoctorThresholds.MAX_STEAL))
            steal > DoctorThresholds.NOTED_STEAL -> note(FindingFact.Stolen(steal, DoctorThresholds.NOTED_STEAL))
            else -> fine(FindingFact.Stolen(steal))
        }
    },
    FindingRule(FindingId.MEMORY) { c ->
        val free = c.machine.memoryAvailableBytes
        fun memory(limit: Long? = null) = FindingFact.Memory(free!!, c.machine.memoryBytes, limit)
        when {
            free == null -> unknown()
            free < DoctorThresholds.MIN_MEMORY_BYTES -> problem(memory(DoctorThresholds.MIN_MEMORY_BYTES))
            free < DoctorThresholds.NOTED_MEMORY_BYTES -> note(memory(DoctorThresholds.NOTED_MEMORY_BYTES))
            else -> fine(memory())
        }
    },
    FindingRule(FindingId.SWAP) { c ->
        val used = c.machine.swapUsedBytes
        when {
            used == null -> unknown()
            used > DoctorThresholds.NOTED_SWAP_BYTES -> note(FindingFact.Swap(used, DoctorThresholds.NOTED_SWAP_BYTES))
            else -> fine(FindingFact.Swap(used))
        }
    },
    FindingRule(FindingId.CLOCK) { c ->
        val source = c.machine.clockSource
        val nanos = c.machine.clockReadNanos
        val limit = DoctorThresholds.NOTED_CLOCK_NANOS
        when {
            source == null && nanos == null -> unknown()
            nanos != null && nanos > limit -> note(FindingFact.Clock(source, nanos, limit))
            else -> fine(FindingFact.Clock(source, nanos))
        }
    },
    FindingRule(FindingId.CORE_SPEED) { c ->
        val frequency = c.machine.frequency
        val governor = frequency?.governor
        val share = frequency?.share
        when {
            frequency == null -> unknown()
            share != null && share < DoctorThresholds.NOTED_CORE_SPEED ->
                note(FindingFact.CoreSpeed(governor, share, DoctorThresholds.NOTED_CORE_SPEED))
            governor == "powersave" && share == null -> note(FindingFact.CoreSpeed(governor, null, savesPower = true))
            else -> fine(FindingFact.CoreSpeed(governor, share))
        }
    },
)

private val MachineFacts.isLinux get() = kernel.startsWith("Linux")
