package threadgauge.probe.profile

import java.net.URI
import java.nio.file.Path
import java.util.Random
import kotlin.io.path.createDirectories
import threadgauge.model.profile.Flames
import threadgauge.model.profile.Profile
import threadgauge.model.profile.ProfilePart
import threadgauge.probe.FamilyProbe
import threadgauge.probe.JvmProbe
import threadgauge.probe.profile.dump.ThreadDumper
import threadgauge.probe.profile.flame.FlameTrees
import threadgauge.probe.profile.flame.NativeLibrary
import threadgauge.probe.profile.flame.NativeSampler
import threadgauge.probe.profile.flame.NativeSamples
import threadgauge.probe.profile.pool.AllPools
import threadgauge.probe.profile.pool.MetricsReader
import threadgauge.probe.profile.pool.OutgoingCounts
import threadgauge.probe.profile.pool.PoolReader

/** A [profile], with the call trees that are too large to be in it; null where nothing was seen. */
internal class Observed(val profile: Profile, val flames: Flames? = null)

/**
 * Observes what a JVM does during one load, without flags: its events by JFR, its stacks by async-profiler, its
 * threads by dumps and by the kernel, its pools by JMX. [family] are all processes of the service; [isOurs] if they
 * were started for this run. Files are in [folder], which is created, and removed at the end. What fails is a gap of
 * the [Profile], never an exception. [service] is where it is asked for pools by HTTP; null where it cannot be.
 * [outgoing] counts the connections that the service has opened, by the other end. [beforeWindow] is called shortly
 * before the window. Both are called on other threads.
 *
 * Used once, in the order [begin], [watch], [end] or [discard], on one thread. [close] ends and removes everything that
 * is left in the JVM and on disk; it may be called from any thread, more than once.
 */
internal class ProfileRecorder(
    private val jvm: JvmProbe,
    private val family: () -> Set<Long>,
    private val isOurs: Boolean,
    folder: Path,
    private val random: Random,
    service: URI? = null,
    private val outgoing: () -> Map<String, Int> = { emptyMap() },
    private val beforeWindow: () -> Unit = {},
) : AutoCloseable {
    private val folder = folder.toAbsolutePath()
    private val gaps = Gaps(this.folder)
    private val java = jvm.version ?: OLDEST
    private val shared = if (seesSameFiles(jvm.pid)) this.folder else null
    private val metrics = service?.let(::MetricsReader)
    private val recording = EventRecording(jvm.connection, shared)
    private var isRecording = false
    private val sampler = NativeSampler(jvm.connection, this.folder.resolve("stacks.jfr"))
    private var isSampling = false

    @Volatile
    private var watch: ProcessWatch? = null
    private var window: EventWindow? = null

    /** To be called before the load: starts the recording, which ends by itself after [maxSeconds]. */
    fun begin(maxSeconds: Long) {
        gaps.of(ProfilePart.EVENTS) {
            folder.createDirectories()
            recording.start(eventSettings(samplesCpuTime(java, isOurs)), maxSeconds)
            isRecording = true
        }
        val why = whyNotNative()
        if (why != null) gaps.add(ProfilePart.NATIVE_STACKS, why)
        isSampling = why == null && gaps.of(ProfilePart.NATIVE_STACKS) { sampler.start(maxSeconds) } != null
        if (shared == null && java >= ThreadDumper.WITH_VIRTUAL_THREADS) {
            gaps.add(ProfilePart.DUMPS, "/proc/${jvm.pid}/ns/mnt")
        }
    }

    /**
     * To be called in the lead-in: observes the window of [windowNanos] from [startNanos] of `System.nanoTime`. Returns
     * at once.
     */
    fun watch(startNanos: Long, windowNanos: Long) {
        window = EventWindow.of(startNanos, windowNanos)
        watch = ProcessWatch(
            startNanos, windowNanos, ThreadDumper(jvm.connection, java, shared),
            AllPools(listOfNotNull(PoolReader(jvm.connection), metrics, OutgoingCounts(outgoing))),
            FamilyProbe(family), { TaskTimes.read(family(), jvm.pid) }, random, gaps, beforeWindow,
        ).start()
    }

    /** To be called after the load: ends the recording, adds everything up, and puts it into the profile of [load]. */
    fun end(load: Profile): Observed {
        val watch = watch ?: return Observed(load.copy(java = jvm.version, gaps = gaps.all))
        val hasEvents = finish()
        val traces = TraceTable()
        val seen = SeenSums(traces)
        val events = EventSums(checkNotNull(window), traces)
        // Before the events, because only dumps have source files.
        for (dump in watch.dumpsBefore) gaps.of(ProfilePart.DUMPS) { SeenSums(traces).add(dump) }
        for (dump in watch.dumps) gaps.of(ProfilePart.DUMPS) { seen.add(dump) }
        if (hasEvents) gaps.of(ProfilePart.EVENTS) { events.addAll(file) }
        val native = if (isSampling) gaps.of(ProfilePart.NATIVE_STACKS, ::nativeSamples) else null
        val groups = watch.tasksOfWindow?.let { (before, after) -> after.groupsSince(before, events.threadNames) }
        val lists = ProfileLists(traces, events.waits(), events.running(), seen.seen())
        val javaCpuMillis = groups?.filterNot { it.isOfJvm }?.sumOf { it.cpuMillis } ?: watch.cpuMillis
        val flames = FlameTrees(traces, events, seen, native, watch.windowMillis).flames(javaCpuMillis)
        val profile = load.copy(
            cpuMillis = watch.cpuMillis,
            java = jvm.version,
            gaps = gaps.all,
            traces = lists.traces,
            threads = cutGroups(groups.orEmpty()),
            waits = lists.waits,
            running = lists.running,
            seen = lists.seen,
            dumps = seen.dumps,
            collectionPauseMillis = if (hasEvents) events.pauseNanos / 1e6 else null,
            pools = watch.pools,
        )
        return Observed(profile, flames)
    }

    /**
     * To be called in place of [end] where nobody wants the result: ends the recording as that does, and reads nothing
     * of it.
     */
    fun discard() {
        finish()
    }

    /** To be called in place of [end] if [load] fails, for the reason [why]: what was observed is of no load. */
    fun fail(load: Profile, why: String): Observed {
        gaps.add(ProfilePart.JVM, why)
        return Observed(load.copy(java = jvm.version, gaps = gaps.all))
    }

    override fun close() {
        watch?.stop()
        sampler.close()
        recording.close()
        metrics?.close()
        folder.toFile().deleteRecursively()
    }

    /** Why no native library may be loaded into the process; null where it may. */
    private fun whyNotNative(): String? = when {
        NativeLibrary.platform == null -> "${System.getProperty("os.name")} ${System.getProperty("os.arch")}"
        !isOurs -> "async-profiler is loaded only into processes that this run has started"
        shared == null -> "/proc/${jvm.pid}/ns/mnt"
        else -> null
    }

    /** Waits for the end of the window and ends all that records. Whether there are events. */
    private fun finish(): Boolean {
        watch?.await()
        isSampling = isSampling && gaps.of(ProfilePart.NATIVE_STACKS) { sampler.stop() } != null
        return isRecording && gaps.of(ProfilePart.EVENTS) { fetch() } != null
    }

    private fun nativeSamples() =
        NativeSamples(checkNotNull(window)).also { it.addAll(folder.resolve("stacks.jfr")) }

    private val file get() = folder.resolve("events.jfr")

    private fun fetch() {
        recording.fetch(file)
        recording.close()
    }

    private companion object {
        /** Of a JVM that does not report its version: nothing newer is asked of it. */
        const val OLDEST = 17
    }
}
