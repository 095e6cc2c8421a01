package threadgauge.run.launch

import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.readText
import threadgauge.model.Boot
import threadgauge.model.Rest
import threadgauge.model.failure.TargetFault
import threadgauge.probe.CpuTimes
import threadgauge.probe.ProcessProbe
import threadgauge.probe.StartSampler
import threadgauge.probe.collectorLogOption
import threadgauge.probe.firstCollectionBytes
import threadgauge.run.Cancellation
import threadgauge.target.Target
import threadgauge.target.TargetFailed

/**
 * What a start costs besides time: processor time always, and where the experiment lets processes rest after it, what
 * they do at rest and what they had taken from memory until their first collection. [cores] are those on which the
 * target runs.
 */
internal class StartWatch(
    private val restNanos: Long?,
    private val cores: Int,
    private val cancellation: Cancellation,
) {
    /** Calls [awaitReady] and adds what [target]'s process used until it returned. */
    fun watched(target: Target, awaitReady: () -> Boot?): Boot? {
        val sampler = target.pid?.let { StartSampler(ProcessProbe.of(it)) }
        val boot = try {
            awaitReady()
        } catch (failure: Exception) {
            sampler?.stop()
            throw failure
        } ?: return null
        val used = sampler?.stop() ?: return boot
        // Who is held to these cores cannot use more of them than all; whoever is not held may use others.
        val share = used.peakCores?.div(maxOf(1, cores))?.let { if (cores > 0) minOf(1.0, it) else it }
        return boot.copy(cpuMillis = used.millis, cpuPeakShare = share)
    }

    /**
     * Leaves [target] alone, before anybody attaches to it. The first half lets its compiler come to an end, the second
     * is counted.
     */
    fun rest(target: Target): Rest? {
        val nanos = restNanos ?: return null
        val probe = ProcessProbe.of(target.pid ?: return null)
        sleep(nanos / 2)
        val (began, before) = System.nanoTime() to cpuTimes(probe, target)
        sleep(nanos - nanos / 2)
        val (ended, after) = System.nanoTime() to cpuTimes(probe, target)
        val watched = ended - began
        return Rest(millis = watched / 1e6, cpuShare = after.nanosSince(before) / watched / maxOf(1, cores))
    }

    /** [command] with what makes its JVM tell of its collections in a file beside [log]. */
    fun telling(command: List<String>, log: Path): List<String> {
        if (restNanos == null) return command
        val option = collectorLogOption("${collectorLog(log)}")
        return command.flatMap { if (it == JAVA) listOf(it, option) else listOf(it) }
    }

    /** Null where none was told of. */
    fun firstCollection(log: Path): Long? =
        collectorLog(log).takeIf { it.exists() }?.let { firstCollectionBytes(it.readText()) }

    private fun collectorLog(log: Path): Path = log.toAbsolutePath().resolveSibling("${log.fileName}.gc")

    private fun cpuTimes(probe: ProcessProbe, target: Target): CpuTimes =
        probe.cpuTimes() ?: throw TargetFailed(TargetFault.Ended(exitCode = null), target.log)

    private fun sleep(nanos: Long) {
        val end = System.nanoTime() + nanos
        while (System.nanoTime() < end) {
            cancellation.check()
            Thread.sleep(POLL_MILLIS)
        }
    }

    private companion object {
        /** Stands for the Java to use in commands that are ours. */
        const val JAVA = "{java}"
        const val POLL_MILLIS = 50L
    }
}
