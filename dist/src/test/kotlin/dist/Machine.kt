package threadgauge.dist

import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.createDirectories
import kotlin.io.path.createSymbolicLinkPointingTo
import kotlin.io.path.isExecutable
import kotlin.io.path.readText

internal val projectRoot: Path = generateSequence(Path.of("").toAbsolutePath()) { it.parent }
    .first { Files.isRegularFile(it.resolve("threadgauge")) }

/** What a command printed, and how long it took. */
internal class Ran(val exitCode: Int, val output: String, val millis: Long)

/**
 * A machine that has neither Java nor Maven on its PATH and, where the system allows it, no network but loopback and no
 * root. What it was not allowed is printed.
 */
internal class Machine(private val folder: Path) {
    private val bin = folder.resolve("bin").createDirectories()
    private val isRoot = runs("sh", "-c", "test \$(id -u) = 0")

    /** In a namespace of the network of its own; empty where there can be none. */
    private val apart: List<String> = listOf(listOf("unshare", "-n"), listOf("unshare", "-rn"))
        .firstOrNull { runs(*(it + "true").toTypedArray()) }.orEmpty()
    private val user: List<String> =
        if (isRoot) listOf("setpriv", "--reuid=$USER", "--regid=$USER", "--clear-groups") else emptyList()

    init {
        for (tool in TOOLS) bin.resolve(tool).createSymbolicLinkPointingTo(onPath(tool))
        if (isRoot) runs("chown", "-R", "$USER:$USER", folder.toString())
        if (apart.isEmpty()) {
            System.err.println("THIS MACHINE ALLOWS NO NAMESPACES: the download is tested with its network")
        }
    }

    val hasNoNetwork get() = apart.isNotEmpty()

    /** Runs [command] in the folder, which belongs to the user. [watch] is called ten times a second meanwhile. */
    fun run(vararg command: String, watch: () -> Unit = {}): Ran {
        val log = Files.createTempFile("threadgauge-dist", ".log")
        val variables = listOf("PATH=$bin", "HOME=$folder")
        val loopback = if (hasNoNetwork) listOf("sh", "-c", "ip link set lo up; exec \"\$@\"", "sh") else emptyList()
        val words = apart + loopback + user + listOf("env", "-i") + variables + command
        val begun = System.nanoTime()
        val process = ProcessBuilder(words).directory(folder.toFile()).redirectErrorStream(true)
            .redirectOutput(log.toFile()).start()
        try {
            while (!process.waitFor(100, TimeUnit.MILLISECONDS)) {
                watch()
                check(System.nanoTime() - begun < MAX_NANOS) { "${command.toList()} goes on:\n${log.readText()}" }
            }
            return Ran(process.exitValue(), log.readText(), (System.nanoTime() - begun) / 1_000_000)
        } finally {
            process.descendants().forEach { it.destroyForcibly() }
            process.destroyForcibly()
            Files.delete(log)
        }
    }

    private companion object {
        const val USER = 65_534

        /** On a machine that builds and tests other things, too. */
        const val MAX_NANOS = 900_000_000_000L
        val TOOLS = listOf(
            "sh", "env", "tar", "gzip", "cat", "dirname", "readlink", "sleep", "ls", "mkdir", "rm", "setsid", "taskset",
        )

        fun onPath(name: String): Path =
            System.getenv("PATH").split(':').map { Path.of(it, name) }.first { it.isExecutable() }.toRealPath()
    }
}

internal fun runs(vararg command: String): Boolean = runCatching {
    ProcessBuilder(command.asList()).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start()
        .waitFor() == 0
}.getOrDefault(false)
