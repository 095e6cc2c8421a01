package threadgauge.wording.machine

import threadgauge.model.judgement.Finding
import threadgauge.model.judgement.FindingFact
import threadgauge.model.judgement.FindingId
import threadgauge.model.judgement.Severity

/** Why it matters, in one or two sentences. */
internal fun FindingId.why(): String = when (this) {
    FindingId.CORES -> "On a shared core, target and load agent take CPU time from each other."
    FindingId.CPU_QUOTA -> "When the quota is used up, the kernel stops target and load agent for up to 100 ms."
    FindingId.BUSY_MACHINE ->
        "Other programs take CPU time from target and load agent. Throughput comes out too low, and results vary."
    FindingId.STOLEN_TIME ->
        "The hypervisor gave these cores to other virtual machines, at moments that nobody can predict."
    FindingId.MEMORY ->
        "When memory runs short, the system swaps or kills a process, and the JVM gives the target a smaller heap."
    FindingId.SWAP -> "Swapped pages must be read from disk before they can be used, which takes milliseconds."
    FindingId.CLOCK -> "Load agent and servers read the clock several times per request."
    FindingId.CORE_SPEED -> "A core that changes its clock speed makes two equal measurements differ."
    FindingId.AGENT_ERRORS -> "If requests fail on the way, a measurement says nothing about the server."
    FindingId.SPREAD -> "What varies between equal measurements hides differences between stacks."
    FindingId.ROUND_NOISE -> "What varies from slice to slice widens the interval of every ratio."
    FindingId.SENT_LATE ->
        "Latency counts from the time at which a request was due, so this delay is part of every latency."
    FindingId.STALLS -> "While the load agent stalls, it sends nothing and times nothing."
    FindingId.OPEN_FILES -> "Each connection takes one open file in the load agent and one in the target."
    FindingId.LOCAL_PORTS -> "Each connection from the load agent to one server needs a local port of its own."
    FindingId.ACCEPT_QUEUE, FindingId.HALF_OPEN_QUEUE ->
        "When many clients connect at once, those that do not fit into the queue retry after a second."
    FindingId.PORT_REUSE -> "With a new connection per request, local ports run out within a minute."
}

/** How to fix it; null where no fix is needed. */
internal fun Finding.remedy(): String? = if (severity == Severity.FINE) null else when (id) {
    FindingId.CORES -> cause.remedy()
    FindingId.CPU_QUOTA -> "Assign whole cores instead of a quota. With Docker, instead of --cpus:"
    FindingId.BUSY_MACHINE ->
        "Close other programs, wait a minute, and run the doctor again. This shows what is running:"
    FindingId.STOLEN_TIME -> "Use a machine that is not shared, or more trials."
    FindingId.MEMORY -> "Close programs that use much memory. This lists them:"
    FindingId.SWAP -> "Close programs that use much memory, then bring everything back from swap:"
    FindingId.CLOCK -> "Switch the kernel to the processor's own counter, if it offers it:"
    FindingId.CORE_SPEED ->
        (if (savesPower) "" else "Plug in the power supply and let the machine cool. ") +
            "Set the governor to performance (cpupower is in linux-tools):"
    FindingId.AGENT_ERRORS ->
        "Check what is between load agent and server: firewall, security software, network settings of a container."
    FindingId.SPREAD -> "Close other programs, and use a machine that is not shared. More trials help, too."
    FindingId.ROUND_NOISE -> "Close other programs, and use a machine that is not shared. Longer runs help, too."
    FindingId.SENT_LATE -> "Use a machine with more cores, or one that is not shared."
    FindingId.STALLS -> "Close other programs. A rare stall affects only the maximum latency."
    FindingId.OPEN_FILES -> "Raise the limit in the shell from which you start Threadgauge:"
    FindingId.LOCAL_PORTS -> "Widen the range:"
    FindingId.ACCEPT_QUEUE, FindingId.HALF_OPEN_QUEUE -> "Lengthen the queue:"
    FindingId.PORT_REUSE -> "Allow reuse, at least on the loopback interface:"
}

/** The command for the remedy; null where no single command is enough. */
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
    FindingId.STOLEN_TIME, FindingId.AGENT_ERRORS, FindingId.SPREAD, FindingId.ROUND_NOISE, FindingId.SENT_LATE,
    FindingId.STALLS,
    -> null
}

private val Finding.cause get() = (fact as? FindingFact.NotPinned)?.cause

private val Finding.savesPower get() = (fact as? FindingFact.CoreSpeed)?.savesPower == true

private fun FindingFact.Cause?.remedy(): String? = when (this) {
    FindingFact.Cause.TOO_FEW_CORES -> "Use a machine with at least two cores."
    FindingFact.Cause.SYSTEM -> "Measure on Linux, possibly in a virtual machine, if the figures are to count."
    FindingFact.Cause.NO_TASKSET -> "Install taskset. On Debian and Ubuntu it is in util-linux."
    null -> null
}
