package threadgauge.probe.profile

import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.ints.shouldBeBetween
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import java.util.Random
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.profile.Frame
import threadgauge.model.profile.Profile
import threadgauge.model.profile.ProfilePart
import threadgauge.probe.JvmProbe

/** Ten thousand virtual threads that wait: each is counted, at the line where it does. */
@Tag("processes")
class CrowdTest {
    @TempDir
    lateinit var temporary: Path

    @Test
    fun `ten thousand virtual threads are seen where they wait`() {
        SourceProcess(temporary, NAME, SOURCE, "-Xmx256m").use { process ->
            process.said shouldBe "ready"
            val profile = JvmProbe.attach(process.pid).shouldNotBeNull().use(::profiled)
            profile.gaps.map { it.what } shouldNotContain ProfilePart.DUMPS
            profile.dumps.shouldBeBetween(1, 20)
            val place = Frame(NAME, "crowd", LINE, "$NAME.java")
            val waiting = profile.seen.filter { place in profile.traces[it.trace].frames }
            waiting.map { it.isVirtual }.distinct() shouldBe listOf(true)
            waiting.sumOf { it.mean } shouldBe THREADS.toDouble()
            profile.threads.map { it.name } shouldContain "main"
        }
    }

    private fun profiled(jvm: JvmProbe): Profile =
        ProfileRecorder(jvm, { setOf(jvm.pid) }, isOurs = false, temporary.resolve("p"), Random(1)).use {
            it.begin(maxSeconds = 60)
            it.watch(System.nanoTime() + WINDOW_NANOS, WINDOW_NANOS)
            it.end(Profile("s", 0.0, WINDOW_NANOS / 1e6, 0.0, answered = 1, meanMicros = 1.0, cores = 1)).profile
        }

    private companion object {
        const val NAME = "Crowd"
        const val THREADS = 10_000
        const val WINDOW_NANOS = 2_000_000_000L
        val SOURCE = """
            import java.util.concurrent.CountDownLatch;

            public class $NAME {
                static final CountDownLatch READY = new CountDownLatch($THREADS);

                static void crowd() {
                    try {
                        READY.countDown();
                        Thread.sleep(600_000); // here
                    } catch (InterruptedException interrupted) {
                        Thread.currentThread().interrupt();
                    }
                }

                public static void main(String[] arguments) throws Exception {
                    for (int i = 0; i < $THREADS; i++) Thread.ofVirtual().start($NAME::crowd);
                    READY.await();
                    System.out.println("ready");
                    Thread.sleep(600_000);
                }
            }
        """.trimIndent() + "\n"

        /** Line of the source in which they wait. */
        val LINE = SourceProcess.lineOf("here", SOURCE)
    }
}
