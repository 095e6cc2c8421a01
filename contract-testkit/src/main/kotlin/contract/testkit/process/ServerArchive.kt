package threadgauge.contract.testkit.process

import java.io.File
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardCopyOption.ATOMIC_MOVE
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicBoolean
import java.util.jar.JarEntry
import java.util.jar.JarOutputStream
import kotlin.io.path.createTempDirectory

/**
 * A class data archive of the servers that one main class starts. With it, a start takes half of its CPU time, and a
 * module's tests start the same server dozens of times. The first server writes it when it ends; servers that start
 * before do without. Safe for any thread.
 */
internal class ServerArchive private constructor(main: String) {
    private val file = folder.resolve("$main.jsa").toFile()
    private val part = File("$file.part")
    private val log = File("$file.log")
    private val isOrdered = AtomicBoolean()

    /** How the next server starts. */
    fun forStart(): Use = when {
        file.exists() -> Use(listOf("-XX:SharedArchiveFile=$file", QUIET)) {}
        isOrdered.compareAndSet(false, true) -> {
            log.delete()
            Use(listOf("-XX:ArchiveClassesAtExit=$part", QUIET, "$TELLING$log:none"), log, ::publish)
        }
        else -> Use(emptyList()) {}
    }

    /** JVM options of one server, what the JVM tells of an archive that it writes, and what to do when it has ended. */
    class Use(val options: List<String>, private val log: File? = null, val ended: () -> Unit) {
        /** True from when the server itself has ended, and its JVM begins to write the archive. */
        val isWriting: Boolean get() = log != null && log.length() > 0
    }

    /** Nobody reads a half-written one. A server that was killed wrote none, so another one may. */
    private fun publish() {
        if (part.exists()) Files.move(part.toPath(), file.toPath(), ATOMIC_MOVE) else isOrdered.set(false)
    }

    companion object {
        /** The JVM tells of every class that cannot be archived, amid the server's own output. */
        private const val QUIET = "-Xlog:disable"

        /** Its first line is that of a JVM whose shutdown hooks have all ended. */
        private const val TELLING = "-Xlog:cds+dynamic=info:file="
        private val archives = ConcurrentHashMap<String, ServerArchive>()
        private val folder: Path by lazy {
            createTempDirectory("threadgauge-archives-").also { made ->
                Runtime.getRuntime().addShutdownHook(Thread { made.toFile().deleteRecursively() })
            }
        }

        fun of(main: String): ServerArchive = archives.computeIfAbsent(main, ::ServerArchive)

        /** That of the tests, with folders packed into jars: the JVM archives no classes from folders. */
        val classPath: String by lazy {
            System.getProperty("java.class.path").split(File.pathSeparator).mapIndexed { index, entry ->
                if (File(entry).isDirectory) packed(File(entry), "classes-$index.jar") else entry
            }.joinToString(File.pathSeparator)
        }

        private fun packed(classes: File, name: String): String {
            val jar = folder.resolve(name).toFile()
            JarOutputStream(jar.outputStream().buffered()).use { out ->
                // Spring looks for classes in packages, which must be entries of their own.
                for (file in classes.walk().filter { it != classes }) {
                    val path = file.relativeTo(classes).invariantSeparatorsPath
                    out.putNextEntry(JarEntry(if (file.isDirectory) "$path/" else path))
                    if (file.isFile) file.inputStream().use { it.copyTo(out) }
                    out.closeEntry()
                }
            }
            return jar.path
        }
    }
}
