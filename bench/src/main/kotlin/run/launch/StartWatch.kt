package threadgauge.run.launch

import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.readText
import threadgauge.model.Boot
import threadgauge.model.Rest
import threadgauge.model.failure.TargetFault
import threadgauge.probe.ProcessProbe
import threadgauge.probe.StartSampler
import threadgauge.probe.collectorLogOption
import threadgauge.probe.firstCollectionBytes
import threadgauge.run.Cancellation
import threadgauge.target.Target
import threadgauge.target.TargetFailed

/**
 * Measures what a start costs besides time: CPU time always, and if the experiment lets processes rest afterwards, also
 * their CPU at rest and their heap at the first garbage collection. [restNanos] is null without a rest. The target runs
 * on [cores] cores, 0 if it is not pinned.
 */
internal class StartWatch(
    private val restNanos: Long?,
    private val cores: Int,
    private val cancellation: Cancellation,
) {
    /**
     * Calls [awaitReady] and adds the CPU time that [target]'s process used until it returned. Null if that returns
     * null.
     */
    fun watched(target: Target, awaitReady: () -> Boot?): Boot? {
        val sampler = target.pid?.let { StartSampler(ProcessProbe.of(it)) }
        val boot = try {
            awaitReady()
        } catch (failure: Exception) {
            sampler?.stop()
            throw failure
        }
        val used = sampler?.stop()
        if (boot == null) return null
        // The process of a container is not there yet when it is started; what it used in all still tells.
        if (used == null) return boot.copy(cpuMillis = target.pid?.let { ProcessProbe.of(it).read()?.cpuMillis })
        // A pinned process cannot use more than its cores: more is an error of measuring. One that is not pinned can.
        val share = used.peakCores?.div(maxOf(1, cores))?.let { if (cores > 0) minOf(1.0, it) else it }
        return boot.copy(cpuMillis = used.millis, cpuPeakShare = share)
    }

    /**
     * Leaves [target] idle, before anything attaches to it. In the first half its compiler finishes; the second half is
     * measured. Null without a rest. Throws [TargetFailed] if the process has ended.
     */
    fun rest(target: Target): Rest? {
        val nanos = restNanos ?: return null
        val probe = ProcessProbe.of(target.pid ?: return null)
        sleep(nanos / 2)
        val (began, before) = System.nanoTime() to cpuMillis(probe, target)
        sleep(nanos - nanos / 2)
        val (ended, after) = System.nanoTime() to cpuMillis(probe, target)
        val watched = ended - began
        return Rest(millis = watched / 1e6, cpuShare = (after - before) * 1e6 / watched / maxOf(1, cores))
    }

    /** [command] with a JVM option that logs garbage collections to a file beside [log]; unchanged without a rest. */
    fun telling(command: List<String>, log: Path): List<String> {
        if (restNanos == null) return command
        val option = collectorLogOption("${collectorLog(log)}")
        return command.flatMap { if (it == JAVA) listOf(it, option) else listOf(it) }
    }

    /** Heap in use at the start of the first garbage collection, in bytes; null if none was logged. */
    fun firstCollection(log: Path): Long? =
        collectorLog(log).takeIf { it.exists() }?.let { firstCollectionBytes(it.readText()) }

    private fun collectorLog(log: Path): Path = log.toAbsolutePath().resolveSibling("${log.fileName}.gc")

    private fun cpuMillis(probe: ProcessProbe, target: Target): Double =
        probe.read()?.cpuMillis ?: throw TargetFailed(TargetFault.Ended(exitCode = null), target.log)

    private fun sleep(nanos: Long) {
        val end = System.nanoTime() + nanos
        while (System.nanoTime() < end) {
            cancellation.check()
            Thread.sleep(POLL_MILLIS)
        }
    }

    private companion object {
        /** Placeholder for the Java of this machine in shipped commands. */
        const val JAVA = "{java}"
        const val POLL_MILLIS = 50L
    }
}
