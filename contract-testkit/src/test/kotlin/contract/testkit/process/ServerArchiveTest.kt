package threadgauge.contract.testkit.process

import java.io.File
import java.util.concurrent.TimeUnit
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

@Tag("processes")
class ServerArchiveTest {
    @Test
    fun `the first start writes an archive after its own end, and says when that begins`() {
        val archive = ServerArchive.of(Idler::class.java.name)
        val first = archive.forStart()
        assertEquals(emptyList<String>(), archive.forStart().options)
        val process = started(first)
        assertFalse(first.isWriting)
        process.destroy()
        assertTrue(process.waitFor(60, TimeUnit.SECONDS))
        assertTrue(first.isWriting)
        first.ended()
        val second = archive.forStart()
        assertTrue(second.options.any { it.startsWith("-XX:SharedArchiveFile=") }, "${second.options}")
        started(second).destroyForcibly().waitFor()
        assertFalse(second.isWriting)
    }

    @Test
    fun `a server that was killed wrote none, and so another one may`() {
        val archive = ServerArchive.of("killed")
        archive.forStart().ended()
        assertTrue(archive.forStart().options.any { it.startsWith("-XX:ArchiveClassesAtExit=") })
    }

    private fun started(use: ServerArchive.Use): Process {
        val java = File(System.getProperty("java.home"), "bin/java").path
        val command = listOf(java) + use.options + listOf("-cp", ServerArchive.classPath, Idler::class.java.name)
        val process = ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start()
        assertEquals("idle", process.inputReader().readLine())
        return process
    }

    private object Idler {
        @JvmStatic
        fun main(arguments: Array<String>) {
            println("idle")
            Thread.sleep(60_000)
        }
    }
}
