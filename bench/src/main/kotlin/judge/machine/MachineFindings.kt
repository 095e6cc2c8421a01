package threadgauge.judge.machine

import java.util.Locale
import threadgauge.judge.doubt.MAX_BUSY_BEFORE
import threadgauge.model.MachineFacts
import threadgauge.wording.percent
import threadgauge.wording.whole

/** What the machine is and how busy it is, each with its thresholds and where they come from. */
internal val machineRules = listOf(
    FindingRule("cores", "Target and agent take time from each other where they share a core.") { c ->
        val m = c.machine
        when {
            m.cores < 2 -> problem("only one, which target and agent must share", "Use a machine with at least two cores.")
            m.targetCores.isEmpty() && !m.isLinux -> note(
                "${m.cores} in all, but this system cannot keep a process to some of them",
                "Measure on Linux, also in a virtual machine, for figures that are to count.",
            )
            m.targetCores.isEmpty() -> note(
                "${m.cores} in all, but there is no taskset, so target and agent share them all",
                "Install taskset. On Debian and Ubuntu it is in util-linux.",
                "sudo apt install util-linux",
            )
            else -> fine("${m.cores} in all, ${named(m.targetCores)} for the target and ${named(m.agentCores)} for the load agent")
        }
    },
    // With a quota below the cores the kernel stops all threads of the group for the rest of each period (100 ms by
    // default) once it is spent: Linux, Documentation/scheduler/sched-bwc.
    FindingRule("cpu-quota", "When the quota is spent, target and agent stand still for up to a tenth of a second.") { c ->
        val quota = c.machine.quotaCores
        when {
            quota == null -> fine("no control group limits the time of the cores")
            quota < c.machine.cores -> problem(
                "target and agent together may use the time of ${decimal(quota)} of ${c.machine.cores} cores",
                "Give whole cores in place of a share of time. With Docker, in place of --cpus:",
                "docker run --cpuset-cpus=0-3 …",
            )
            else -> fine("${decimal(quota)} cores' worth of time, no fewer than there are cores")
        }
    },
    // 15 %: the limit of the doubt busy-machine. Over half, other programs have more of the machine than the measurement.
    FindingRule("busy-machine", "Other programs take time from target and agent: figures come out too low and vary.") { c ->
        val busy = c.machine.busyBefore ?: return@FindingRule untold("how busy it is")
        val remedy = "Close what else is running, wait a minute, and ask again. What it is:"
        when {
            busy > MOSTLY_BUSY -> problem(atWork(busy, MOSTLY_BUSY), remedy, "top")
            busy > MAX_BUSY_BEFORE -> note(atWork(busy, MAX_BUSY_BEFORE), remedy, "top")
            else -> fine("${percent(busy)} of the machine was at work before anything was started")
        }
    },
    // 2 %: the limit of the doubt stolen-time. 10 % is three times the margin below which differences do not count.
    FindingRule("stolen-time", "The hypervisor gave these cores to somebody else, at moments that nobody can foresee.") { c ->
        val steal = c.steal ?: return@FindingRule untold("how much time a hypervisor takes")
        val remedy = "Use a machine that is not shared, or more trials."
        val seen = "the hypervisor took ${percent(steal)} of the machine's time while the agent was measured"
        when {
            steal > 0.10 -> problem("$seen (limit 10 %)", remedy)
            steal > 0.02 -> note("$seen (limit 2 %)", remedy)
            else -> fine("a hypervisor took ${percent(steal)} of the machine's time")
        }
    },
    // The agent's heap may grow to 256 MB, the coordinator needs about 150 MB, and a Spring server of the tour 400 MB.
    FindingRule("memory", "Without enough memory the system swaps or ends a process, and a target's heap is made smaller.") { c ->
        val free = c.machine.memoryAvailableBytes ?: return@FindingRule untold("how much memory is available")
        val remedy = "Close what needs much memory. What it is:"
        val seen = "${gigabytes(free)} of ${gigabytes(c.machine.memoryBytes)} available"
        when {
            free < GIGABYTE -> problem("$seen (limit 1 GB)", remedy, "ps aux --sort=-rss | head")
            free < 2 * GIGABYTE -> note("$seen (limit 2 GB)", remedy, "ps aux --sort=-rss | head")
            else -> fine(seen)
        }
    },
    // Some megabytes of programs that sleep are swapped out on any machine that has run for days.
    FindingRule("swap", "What was swapped out must be read from the disk before it can run: a pause of milliseconds.") { c ->
        val used = c.machine.swapUsedBytes ?: return@FindingRule untold("how much swap is in use")
        val seen = if (used == 0L) "none in use" else "${gigabytes(used)} in use"
        val remedy = "Close what needs much memory, then bring everything back from swap:"
        if (used > GIGABYTE / 10) note("$seen (limit 0.1 GB)", remedy, "sudo swapoff -a && sudo swapon -a") else fine(seen)
    },
    // Read without a call into the kernel (vDSO) these take 20 to 50 ns, others up to microseconds. The agent reads the
    // clock about three times for each request.
    FindingRule("clock", "Agent and servers read the clock several times for each request.") { c ->
        val source = c.machine.clockSource
        val nanos = c.machine.clockReadNanos
        val seen = listOfNotNull(source, nanos?.let { "${whole(it)} ns to read" }).joinToString(", ")
        when {
            seen.isEmpty() -> untold("which clock it uses")
            (nanos ?: 0.0) > SLOW_CLOCK_NANOS -> note(
                "$seen (limit ${whole(SLOW_CLOCK_NANOS)} ns)",
                "Let the kernel use the processor's own counter, if it can:",
                "sudo tee /sys/bus/clocksource/devices/*/current_clocksource <<< tsc",
            )
            else -> fine(seen)
        }
    },
    // cpuinfo_max_freq is what one core reaches alone; all of them together reach 70 to 85 % of it on current processors.
    FindingRule("core-speed", "A core that changes its speed makes two equal measurements differ.") { c ->
        val frequency = c.machine.frequency ?: return@FindingRule untold("it, as is usual in virtual machines")
        val share = frequency.share
        val speed = share?.let { ", ${percent(it)} of the greatest speed under load" }.orEmpty()
        val seen = (frequency.governor?.let { "governor $it" } ?: "no governor") + speed
        when {
            share != null && share < SLOW_CORE -> note(
                "$seen (limit ${percent(SLOW_CORE)})",
                "Plug in the power supply and let the machine cool. $SPEED_UP",
                PERFORMANCE,
            )
            frequency.governor == "powersave" && share == null ->
                note("$seen, which may save power in the middle of a measurement", SPEED_UP, PERFORMANCE)
            else -> fine(seen)
        }
    },
)

private val MachineFacts.isLinux get() = kernel.startsWith("Linux")

private fun atWork(busy: Double, limit: Double) =
    "${percent(busy)} of the machine was at work before anything was started (limit ${percent(limit)})"

private fun named(cores: List<Int>) = if (cores.size == 1) "core ${cores.single()}" else "cores ${cores.joinToString(" ")}"

private fun gigabytes(bytes: Long) = "%.1f GB".format(Locale.ROOT, bytes / 1e9)

private fun decimal(value: Double) = "%.1f".format(Locale.ROOT, value).removeSuffix(".0")

private const val MOSTLY_BUSY = 0.50
private const val GIGABYTE = 1_000_000_000L
private const val SLOW_CLOCK_NANOS = 200.0
private const val SLOW_CORE = 0.60
private const val SPEED_UP = "Have the cores run as fast as they can (cpupower comes with linux-tools):"
private const val PERFORMANCE = "sudo cpupower frequency-set -g performance"
