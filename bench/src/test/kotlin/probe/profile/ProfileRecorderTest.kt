package threadgauge.probe.profile

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.ints.shouldBeBetween
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotContain
import java.nio.file.Files
import java.nio.file.Path
import java.util.Random
import javax.management.JMX
import javax.management.ObjectName
import jdk.management.jfr.FlightRecorderMXBean
import jdk.management.jfr.RecordingInfo
import kotlin.io.path.exists
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.profile.CallNode
import threadgauge.model.profile.FlameKind
import threadgauge.model.profile.FlameSource
import threadgauge.model.profile.Flames
import threadgauge.model.profile.Frame
import threadgauge.model.profile.Profile
import threadgauge.model.profile.ProfilePart
import threadgauge.model.profile.WaitCause
import threadgauge.probe.JvmProbe

/** Observes a real server that sleeps for each request. */
@Tag("processes")
class ProfileRecorderTest {
    @TempDir
    lateinit var temporary: Path

    @Test
    fun `a profile says at which line a server sleeps, and leaves nothing behind`() = sleepsAt(THIS_JAVA)

    @Test
    fun `so it does on Java 17`() {
        val java = Napper.javaOf(17)
        assumeTrue(java != null)
        sleepsAt(java!!)
    }

    @Test
    fun `no library is loaded into a process that others have started, and its trees are from events and dumps`() =
        served(THIS_JAVA) { napper, jvm ->
            val observed = observed(jvm, isOurs = false)
            observed.profile.gaps.map { it.what } shouldBe listOf(ProfilePart.NATIVE_STACKS)
            sleepsInTrees(observed.flames.shouldNotBeNull(), FlameSource.DUMPS)
            Files.readString(Path.of("/proc/${jvm.pid}/maps")) shouldNotContain "async-profiler"
            nothingIsLeft(napper, jvm)
        }

    @Test
    fun `nothing is left of a profile that is ended in its middle`() = served(THIS_JAVA) { napper, jvm ->
        val recorder = recorder(jvm)
        recorder.begin(maxSeconds = 60)
        recorder.watch(System.nanoTime() + 200_000_000, 60_000_000_000)
        Thread.sleep(1_000)
        recordings(jvm).size shouldBe 1
        Thread.ofPlatform().start(recorder::close).join()
        recorder.close()
        nothingIsLeft(napper, jvm)
        napper.kill()
        made(napper).shouldBeEmpty()
    }

    @Test
    fun `a process that is killed meanwhile leaves nothing either, and what failed is told`() =
        served(THIS_JAVA) { napper, jvm ->
            val seen = recorder(jvm).use { recorder ->
                recorder.begin(maxSeconds = 60)
                recorder.watch(System.nanoTime() + 500_000_000, 1_000_000_000)
                Thread.sleep(1_000)
                napper.kill()
                recorder.end(load).profile
            }
            seen.gaps.map { it.what } shouldContain ProfilePart.EVENTS
            seen.waits.shouldBeEmpty()
            made(napper).shouldBeEmpty()
            folder.exists() shouldBe false
        }

    @Test
    fun `nothing stays in a process if the one that profiles it is killed`() =
        served(THIS_JAVA) { napper, jvm ->
            DoomedRecorder(jvm.pid, folder).use { recordings(jvm).single().state shouldBe "RUNNING" }
            val endNanos = System.nanoTime() + PATIENCE_NANOS
            while (recordings(jvm).isNotEmpty() && System.nanoTime() < endNanos) Thread.sleep(100)
            recordings(jvm).shouldBeEmpty()
            made(napper).shouldBeEmpty()
        }

    private fun sleepsAt(java: Path) = served(java) { napper, jvm ->
        val observed = observed(jvm)
        val seen = observed.profile
        sleepsInTrees(observed.flames.shouldNotBeNull(), FlameSource.NATIVE)
        seen.gaps.shouldBeEmpty()
        val place = Frame(Napper.NAME, "nap", Napper.LINE, "${Napper.NAME}.java")
        val sleeps = seen.waits.filter { it.cause == WaitCause.SLEEP && it.threads == "pool-#-thread-#" }
        val sleep = sleeps.single()
        seen.traces[sleep.trace!!].frames shouldContain place
        // Four clients at most wait all the time.
        sleep.millis.shouldBeBetween(200.0, Napper.CLIENTS * WINDOW_NANOS / 1e6, 1.0)
        (sleep.millis / sleep.count).shouldBeBetween(40.0, 1_000.0, 0.0)
        seen.dumps.shouldBeBetween(1, 20)
        val found = seen.seen.filter { place in seen.traces[it.trace].frames }
        // A dump sees one thread after the other. So a client whose request has been answered meanwhile, and who has
        // sent the next one, is seen at two of them.
        found.sumOf { it.mean }.shouldBeBetween(0.0, POOL.toDouble(), 0.0)
        seen.threads.single { it.name == "pool-#-thread-#" }.let {
            it.count shouldBe POOL
            it.isOfJvm shouldBe false
            it.cpuMillis shouldBeGreaterThan 0.0
        }
        seen.threads.filter { it.isOfJvm }.map { it.name } shouldContain "VM Thread"
        seen.cpuMillis.shouldNotBeNull() shouldBeGreaterThan 0.0
        seen.collectionPauseMillis.shouldNotBeNull()
        nothingIsLeft(napper, jvm)
        napper.kill()
        made(napper).shouldBeEmpty()
    }

    private fun observed(jvm: JvmProbe, isOurs: Boolean = true): Observed = recorder(jvm, isOurs).use { recorder ->
        recorder.begin(maxSeconds = 60)
        recorder.watch(System.nanoTime() + 1_000_000_000, WINDOW_NANOS)
        recorder.end(load)
    }

    /** The trees know the line at which threads sleep, and for how long they do. */
    private fun sleepsInTrees(flames: Flames, source: FlameSource) {
        flames.trees.map { it.kind } shouldContain FlameKind.CPU
        val wall = flames.trees.single { it.kind == FlameKind.WALL }
        wall.source shouldBe source
        val pool = wall.groups.single { it.threads == "pool-#-thread-#" }
        val nap = pool.calls.flatMap { it.all() }.single { it.frame >= 0 && flames.frames[it.frame].method == "nap" }
        flames.frames[nap.frame] shouldBe Frame(Napper.NAME, "nap", Napper.LINE, "${Napper.NAME}.java")
        nap.all().sumOf { it.own }.shouldBeBetween(200.0, Napper.CLIENTS * WINDOW_NANOS / 1e6, 1.0)
    }

    private fun CallNode.all(): List<CallNode> = listOf(this) + calls.flatMap { it.all() }

    private fun served(java: Path, work: (Napper, JvmProbe) -> Unit) = Napper(java, temporary).use { napper ->
        JvmProbe.attach(napper.pid).shouldNotBeNull().use { work(napper, it) }
    }

    private val folder get() = temporary.resolve("a record/profiling")

    private fun recorder(jvm: JvmProbe, isOurs: Boolean = true) =
        ProfileRecorder(jvm, { setOf(jvm.pid) }, isOurs, folder, Random(1))

    private fun recordings(jvm: JvmProbe): List<RecordingInfo> {
        val name = ObjectName(FlightRecorderMXBean.MXBEAN_NAME)
        return JMX.newMXBeanProxy(jvm.connection, name, FlightRecorderMXBean::class.java).recordings
    }

    private fun nothingIsLeft(napper: Napper, jvm: JvmProbe) {
        recordings(jvm).shouldBeEmpty()
        folder.exists() shouldBe false
        made(napper).shouldBeEmpty()
    }

    /** What the JVM of [napper] has in its folder for temporary files. */
    private fun made(napper: Napper): List<Path> = Files.walk(napper.temporary).use { all ->
        all.filter { it != napper.temporary && !it.startsWith(napper.temporary.resolve("hsperfdata")) }.toList()
    }

    private companion object {
        val THIS_JAVA = SourceProcess.OF_THIS_JVM
        val load = Profile("s", 0.0, WINDOW_NANOS / 1e6, 0.0, answered = 100, meanMicros = 50_000.0, cores = 1)
        const val WINDOW_NANOS = 2_000_000_000L

        /** Threads of the server that answer. */
        const val POOL = 8

        /** Long after it ends by itself. */
        const val PATIENCE_NANOS = (DoomedRecorder.SECONDS + 60) * 1_000_000_000
    }
}
