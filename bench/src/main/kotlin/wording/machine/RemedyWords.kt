package threadgauge.wording.machine

import threadgauge.model.judgement.Finding
import threadgauge.model.judgement.FindingFact
import threadgauge.model.judgement.FindingId
import threadgauge.model.judgement.Severity

/** Why it matters, in one sentence. */
internal fun FindingId.why(): String = when (this) {
    FindingId.CORES -> "Target and agent take time from each other where they share a core."
    FindingId.CPU_QUOTA -> "When the quota is spent, target and agent stand still for up to a tenth of a second."
    FindingId.BUSY_MACHINE -> "Other programs take time from target and agent: figures come out too low and vary."
    FindingId.STOLEN_TIME -> "The hypervisor gave these cores to somebody else, at moments that nobody can foresee."
    FindingId.MEMORY ->
        "Without enough memory the system swaps or ends a process, and a target's heap is made smaller."
    FindingId.SWAP -> "What was swapped out must be read from the disk before it can run: a pause of milliseconds."
    FindingId.CLOCK -> "Agent and servers read the clock several times for each request."
    FindingId.CORE_SPEED -> "A core that changes its speed makes two equal measurements differ."
    FindingId.AGENT_ERRORS -> "A measurement in which requests fail on the way says nothing about the server."
    FindingId.SPREAD -> "What varies while nothing changes hides differences between stacks."
    FindingId.SENT_LATE -> "Latency counts from the moment a request was meant to leave, so it is in every latency."
    FindingId.STALLS -> "While the agent stands still, nothing is sent and nothing is timed."
    FindingId.OPEN_FILES -> "Each connection takes one open file of the agent and one of the target."
    FindingId.LOCAL_PORTS -> "Each connection of the agent to one server needs a port of its own on this side."
    FindingId.ACCEPT_QUEUE, FindingId.HALF_OPEN_QUEUE ->
        "When many connect at once, what does not fit into the queue waits a second to try again."
    FindingId.PORT_REUSE -> "Where each request has a connection of its own, ports run out within a minute."
}

/** How to mend it; null where nothing is wrong. */
internal fun Finding.remedy(): String? = if (severity == Severity.FINE) null else when (id) {
    FindingId.CORES -> cause.remedy()
    FindingId.CPU_QUOTA -> "Give whole cores in place of a share of time. With Docker, in place of --cpus:"
    FindingId.BUSY_MACHINE -> "Close what else is running, wait a minute, and ask again. What it is:"
    FindingId.STOLEN_TIME -> "Use a machine that is not shared, or more trials."
    FindingId.MEMORY -> "Close what needs much memory. What it is:"
    FindingId.SWAP -> "Close what needs much memory, then bring everything back from swap:"
    FindingId.CLOCK -> "Let the kernel use the processor's own counter, if it can:"
    FindingId.CORE_SPEED ->
        (if (savesPower) "" else "Plug in the power supply and let the machine cool. ") +
            "Have the cores run as fast as they can (cpupower comes with linux-tools):"
    FindingId.AGENT_ERRORS ->
        "Look at what stands between: firewall, security software, network settings of a container."
    FindingId.SPREAD -> "Close what else is running, and use a machine that is not shared. More trials help too."
    FindingId.SENT_LATE -> "Use a machine with more cores, or one that is not shared."
    FindingId.STALLS -> "Close what else is running. A stall now and then is seen in the maximum only."
    FindingId.OPEN_FILES -> "Raise the limit in the shell from which you start Threadgauge:"
    FindingId.LOCAL_PORTS -> "Widen the range:"
    FindingId.ACCEPT_QUEUE, FindingId.HALF_OPEN_QUEUE -> "Lengthen the queue:"
    FindingId.PORT_REUSE -> "Allow it, at least on the loopback interface:"
}

/** What to type for the remedy; null where no single command does it. */
internal fun Finding.command(): String? = if (severity == Severity.FINE) null else when (id) {
    FindingId.CORES -> "sudo apt install util-linux".takeIf { cause == FindingFact.Cause.NO_TASKSET }
    FindingId.CPU_QUOTA -> "docker run --cpuset-cpus=0-3 …"
    FindingId.BUSY_MACHINE -> "top"
    FindingId.MEMORY -> "ps aux --sort=-rss | head"
    FindingId.SWAP -> "sudo swapoff -a && sudo swapon -a"
    FindingId.CLOCK -> "sudo tee /sys/bus/clocksource/devices/*/current_clocksource <<< tsc"
    FindingId.CORE_SPEED -> "sudo cpupower frequency-set -g performance"
    FindingId.OPEN_FILES -> "sudo prlimit --pid $$ --nofile=65536"
    FindingId.LOCAL_PORTS -> "sudo sysctl -w net.ipv4.ip_local_port_range=\"10240 65535\""
    FindingId.ACCEPT_QUEUE, FindingId.HALF_OPEN_QUEUE ->
        (fact as? FindingFact.Queue)?.let { "sudo sysctl -w ${it.setting}=4096" }
    FindingId.PORT_REUSE -> "sudo sysctl -w net.ipv4.tcp_tw_reuse=2"
    FindingId.STOLEN_TIME, FindingId.AGENT_ERRORS, FindingId.SPREAD, FindingId.SENT_LATE, FindingId.STALLS -> null
}

private val Finding.cause get() = (fact as? FindingFact.NotPinned)?.cause

private val Finding.savesPower get() = (fact as? FindingFact.CoreSpeed)?.savesPower == true

private fun FindingFact.Cause?.remedy(): String? = when (this) {
    FindingFact.Cause.TOO_FEW_CORES -> "Use a machine with at least two cores."
    FindingFact.Cause.SYSTEM -> "Measure on Linux, also in a virtual machine, for figures that are to count."
    FindingFact.Cause.NO_TASKSET -> "Install taskset. On Debian and Ubuntu it is in util-linux."
    null -> null
}
