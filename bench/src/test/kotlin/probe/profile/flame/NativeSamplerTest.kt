package threadgauge.probe.profile.flame

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import jdk.jfr.consumer.RecordingFile
import kotlin.io.path.createDirectories
import kotlin.io.path.listDirectoryEntries
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.condition.EnabledOnOs
import org.junit.jupiter.api.condition.OS
import org.junit.jupiter.api.io.TempDir
import threadgauge.probe.JvmProbe
import threadgauge.probe.profile.Napper
import threadgauge.probe.profile.SourceProcess

/** async-profiler in a real process. */
@Tag("processes")
@EnabledOnOs(OS.LINUX)
class NativeSamplerTest {
    @TempDir
    lateinit var temporary: Path

    @Test
    fun `it ends by itself where nobody ends it, and can then be started again`() = served { jvm ->
        val first = temporary.resolve("first.jfr")
        sampler(jvm, first).start(maxSeconds = 2)
        // While one runs there can be no other.
        val second = sampler(jvm, temporary.resolve("second.jfr"))
        shouldThrow<IOException> { second.start(maxSeconds = 60) }.message!! shouldContain "return code: 200"
        val end = System.nanoTime() + 60_000_000_000
        while (runCatching { second.start(maxSeconds = 60) }.isFailure) {
            check(System.nanoTime() < end) { "it still runs" }
            Thread.sleep(50)
        }
        RecordingFile.readAllEvents(first).count { it.eventType.name == "jdk.ExecutionSample" } shouldBeGreaterThan 0
        second.stop()
    }

    @Test
    fun `one that is closed does not run`() = served { jvm ->
        val sampler = sampler(jvm, temporary.resolve("a.jfr"))
        sampler.start(maxSeconds = 60)
        repeat(2) { sampler.close() }
        sampler(jvm, temporary.resolve("b.jfr")).use { it.start(maxSeconds = 60) }
    }

    @Test
    fun `a name that cannot be passed on is told, and nothing runs`() = served { jvm ->
        val file = temporary.resolve("a,b.jfr")
        shouldThrow<IOException> { sampler(jvm, file).start(maxSeconds = 60) }.message shouldBe "$file"
        Files.exists(file) shouldBe false
    }

    @Test
    fun `the library is written once, and again where somebody changed it`() {
        val library = NativeLibrary(temporary.resolve("cache"))
        val file = library.file()
        val written = Files.getLastModifiedTime(file)
        library.file() shouldBe file
        Files.getLastModifiedTime(file) shouldBe written
        val content = Files.readAllBytes(file)
        Files.writeString(file, "rubbish")
        library.file() shouldBe file
        Files.readAllBytes(file) shouldBe content
        file.parent.listDirectoryEntries() shouldBe listOf(file)
    }

    @Test
    fun `there is a library for Linux on two processors, and no other`() {
        NativeLibrary.platformOf("Linux", "amd64") shouldBe "linux-x64"
        NativeLibrary.platformOf("Linux", "aarch64") shouldBe "linux-arm64"
        NativeLibrary.platformOf("Linux", "riscv64") shouldBe null
        NativeLibrary.platformOf("Mac OS X", "aarch64") shouldBe null
    }

    private fun sampler(jvm: JvmProbe, file: Path) =
        NativeSampler(jvm.connection, file, NativeLibrary(temporary.resolve("cache")))

    private fun served(work: (JvmProbe) -> Unit) {
        val folder = temporary.resolve("a service").createDirectories()
        Napper(SourceProcess.OF_THIS_JVM, folder).use { napper ->
            JvmProbe.attach(napper.pid).shouldNotBeNull().use(work)
        }
    }
}
