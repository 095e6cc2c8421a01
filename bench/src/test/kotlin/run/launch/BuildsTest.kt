package threadgauge.run.launch

import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import java.nio.file.Path
import java.nio.file.attribute.FileTime
import java.util.jar.Attributes.Name.CLASS_PATH
import java.util.jar.Attributes.Name.MANIFEST_VERSION
import java.util.jar.JarEntry
import java.util.jar.JarOutputStream
import java.util.jar.Manifest
import kotlin.io.path.createDirectories
import kotlin.io.path.outputStream
import kotlin.io.path.writeText
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.ConcurrencyModel
import threadgauge.model.Stack

class BuildsTest {
    @TempDir
    lateinit var folder: Path

    private fun stack(vararg command: String) =
        Stack("made-up", "Made up", ConcurrencyModel.EVENT_LOOP, "as shipped", command.toList(), folder.toString())

    private val server get() = buildOf(stack("{java}", "-jar", "server.jar", "--port={port}")).shouldNotBeNull()

    @Test
    fun `the same classes are the same build, whatever the time and order of packing`() {
        jar("server.jar", "A.class" to "a", "B.class" to "b", packedAt = 1_000_000_000_000)
        val first = server
        jar("server.jar", "B.class" to "b", "A.class" to "a", packedAt = 1_700_000_000_000)
        server shouldBe first
        jar("server.jar", "A.class" to "a", "B.class" to "changed")
        server shouldNotBe first
    }

    @Test
    fun `the jars in the Class-Path of a jar belong to the build`() {
        folder.resolve("lib").createDirectories()
        jar("server.jar", "A.class" to "a", classPath = "lib/work.jar lib/not-there.jar")
        jar("lib/work.jar", "Work.class" to "sleep")
        val first = server
        jar("lib/work.jar", "Work.class" to "spin!")
        server shouldNotBe first
    }

    @Test
    fun `other files of the command count with their content, and without files there is no build`() {
        buildOf(stack("sh", "-c", "serve {port}")).shouldBeNull()
        folder.resolve("server.js").writeText("one")
        val first = buildOf(stack("node", "server.js")).shouldNotBeNull()
        folder.resolve("server.js").writeText("two")
        buildOf(stack("node", "server.js")) shouldNotBe first
    }

    private fun jar(
        name: String,
        vararg entries: Pair<String, String>,
        packedAt: Long = 1_600_000_000_000,
        classPath: String? = null,
    ) {
        val manifest = Manifest()
        manifest.mainAttributes[MANIFEST_VERSION] = "1.0"
        classPath?.let { manifest.mainAttributes[CLASS_PATH] = it }
        JarOutputStream(folder.resolve(name).outputStream(), manifest).use { jar ->
            for ((entry, text) in entries) {
                jar.putNextEntry(JarEntry(entry).setLastModifiedTime(FileTime.fromMillis(packedAt)) as JarEntry)
                jar.write(text.toByteArray())
            }
        }
    }
}
