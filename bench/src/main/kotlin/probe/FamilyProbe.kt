package threadgauge.probe

/**
 * Several processes read as one: CPU, memory, threads and switches are added up. [members] says who belongs to them
 * now; those that have ended keep the CPU and the switches that were last read of them, so that counters never go back.
 * Memory that processes share is counted once for each.
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
        )
    }

    @Synchronized
    override fun switches(): Switches? {
        for (pid in members()) probeOf(pid).switches()?.let { lastSwitches[pid] = it }
        if (lastSwitches.isEmpty()) return null
        return Switches(lastSwitches.values.sumOf { it.voluntary }, lastSwitches.values.sumOf { it.involuntary })
    }

    /** Of the process that has most open, because the limit is one of each process. */
    @Synchronized
    override fun openFiles(): Long? = members().mapNotNull { probeOf(it).openFiles() }.maxOrNull()

    /** The smallest of theirs. */
    @Synchronized
    override fun openFilesLimit(): Long? = members().mapNotNull { probeOf(it).openFilesLimit() }.minOrNull()

    private fun probeOf(pid: Long) = probes.getOrPut(pid) { ProcessProbe.of(pid) }
}
