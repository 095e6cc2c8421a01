package threadgauge.dist

import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.FileTime
import java.time.Instant
import java.util.concurrent.TimeUnit
import kotlin.io.path.createDirectories
import kotlin.io.path.name
import kotlin.io.path.readLines
import kotlin.io.path.readText
import kotlin.io.path.writeLines

/**
 * An archive of the classes that commands load before they do anything, with which a start takes half the time. The JVM
 * believes it only beside jars of the same size and time, so it is made beside copies that bear [stamp], as the files
 * of the archives do; where they lie does not matter.
 *
 * What a class list says of constants that were resolved, and in which order classes came, differs from start to start.
 * Without both, and with a path of the program that is relative, the archive is the same each time.
 */
internal class ClassArchive(private val runtime: Path, private val tree: Tree, private val work: Path) {
    fun make(program: List<Entry>, stamp: Instant): Path {
        for (entry in program.filterIsInstance<FileEntry>()) {
            val copy = work.resolve(entry.path).also { it.parent.createDirectories() }
            Files.copy(entry.file, copy)
            Files.setLastModifiedTime(copy, FileTime.from(stamp))
        }
        val loaded = COMMANDS.flatMapIndexed { index, command ->
            val list = work.resolve("$index.classes")
            java(listOf("-XX:DumpLoadedClassList=$list", "-Dthreadgauge.home=${tree.root}", "-jar", PROGRAM) + command)
            list.readLines()
        }.filterNot { it.startsWith("#") || it.startsWith("@cp") || LOADED_OTHERWISE in it }
            // Numbers of classes are those of one start.
            .map { it.substringBefore(" id: ") }.distinct().sorted()
        val (directives, classes) = loaded.partition { it.startsWith("@") }
        val list = work.resolve("all.classes").apply { writeLines(classes + directives) }
        val archive = work.resolve(FILE)
        java(
            listOf("-Xshare:dump", "-XX:SharedClassListFile=$list", "-XX:SharedArchiveFile=$archive", "-cp", PROGRAM),
        )
        return archive
    }

    private fun java(arguments: List<String>) {
        val log = work.resolve("java.log")
        val java = runtime.resolve("bin/java").toString()
        val builder = ProcessBuilder(listOf(java) + OPTIONS + arguments).directory(work.toFile())
            .redirectErrorStream(true).redirectOutput(log.toFile())
        builder.environment().keys.removeAll(setOf("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"))
        val process = builder.start()
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) process.destroyForcibly().waitFor()
        if (process.exitValue() != 0) {
            throw DistFailed("${log.name}: ${log.readText().trim()}", "The tree may be half built; build it anew.")
        }
    }

    companion object {
        /** Where the launcher looks for it, in a JDK that came along. */
        const val FILE = "threadgauge.jsa"
        const val PROGRAM = "bench/target/threadgauge.jar"

        /** Those of the launcher that a shared archive must agree with. */
        private val OPTIONS = listOf("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xlog:disable")
        private val COMMANDS = listOf(listOf("--help"), listOf("list", "stacks"))

        /** In the line of a class that no loader of the JVM has loaded. */
        private const val LOADED_OTHERWISE = " source: "
        private const val PATIENCE_SECONDS = 120L
    }
}
