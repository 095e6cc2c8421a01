package threadgauge.probe.profile

import java.nio.file.Path
import kotlin.io.path.writeText

/**
 * A program of one Java [source] file with the class [name], as a process of [java] with [options]; the file is in
 * [folder]. It is there once it has printed a line.
 */
internal class SourceProcess(
    folder: Path,
    private val name: String,
    private val source: String,
    vararg options: String,
    java: Path = OF_THIS_JVM,
) : AutoCloseable {
    private val process = folder.resolve("$name.java").let { file ->
        file.writeText(source)
        ProcessBuilder("$java", *options, "$file").redirectError(ProcessBuilder.Redirect.DISCARD).start()
    }
    val pid: Long get() = process.pid()

    /** The first line that it printed. */
    val said: String = process.inputReader().readLine()

    /** Kills it as the kernel does, without a chance to remove anything. */
    override fun close() {
        process.destroyForcibly().waitFor()
    }

    companion object {
        val OF_THIS_JVM: Path = Path.of(System.getProperty("java.home"), "bin", "java")

        /** Number of the line of [source] that ends with a comment of this [mark]. */
        fun lineOf(mark: String, source: String): Int = source.lines().indexOfFirst { it.endsWith("// $mark") } + 1
    }
}
