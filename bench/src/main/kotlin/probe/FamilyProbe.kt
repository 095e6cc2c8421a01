package threadgauge.probe

/**
 * Several processes as one: the sums of CPU, memory, threads and switches. [members] returns the current processes. For
 * ended processes, the last CPU time and switches are kept, so that counters never decrease. Shared memory is counted
 * once for each process.
 *
 * Safe for any thread.
 */
class FamilyProbe(private val members: () -> Set<Long>) : ProcessProbe {
    private val probes = HashMap<Long, ProcessProbe>() // guarded by this
    private val lastRead = HashMap<Long, ProcessReading>() // guarded by this
    private val lastSwitches = HashMap<Long, Switches>() // guarded by this

    @Synchronized
    override fun read(): ProcessReading? {
        val alive = members().mapNotNull { pid -> probeOf(pid).read()?.also { lastRead[pid] = it } }
        if (alive.isEmpty()) return null
        return ProcessReading(
            atNanos = System.nanoTime(),
            cpuUserMillis = lastRead.values.sumOf { it.cpuUserMillis },
            cpuSystemMillis = lastRead.values.sumOf { it.cpuSystemMillis },
            rssBytes = alive.sumOf { it.rssBytes },
            threads = alive.sumOf { it.threads },
            cpuMillis = lastRead.values.sumOf { it.cpuMillis },
        )
    }

    @Synchronized
    override fun switches(): Switches? {
        for (pid in members()) probeOf(pid).switches()?.let { lastSwitches[pid] = it }
        if (lastSwitches.isEmpty()) return null
        return Switches(lastSwitches.values.sumOf { it.voluntary }, lastSwitches.values.sumOf { it.involuntary })
    }

    /** Of the process with most open files, because the limit is per process. */
    @Synchronized
    override fun openFiles(): Long? = members().mapNotNull { probeOf(it).openFiles() }.maxOrNull()

    /** The minimum of the processes. */
    @Synchronized
    override fun openFilesLimit(): Long? = members().mapNotNull { probeOf(it).openFilesLimit() }.minOrNull()

    private fun probeOf(pid: Long) = probes.getOrPut(pid) { ProcessProbe.of(pid) }
}
