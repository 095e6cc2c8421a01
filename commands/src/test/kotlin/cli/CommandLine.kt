package threadgauge.cli

import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.createDirectories
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText
import kotlin.io.path.writeText
import threadgauge.model.Record
import threadgauge.runs
import threadgauge.store.RecordFolder

/**
 * Threadgauge as a user starts it: a process of its own, in a folder of its own. Tracks every process that it starts.
 */
internal class CommandLine(
    val folder: Path,
    private val home: Path = projectRoot,
    private val environment: Map<String, String> = emptyMap(),
) {
    /** An experiment that is over in seconds: one stack, one short load, hardly any warm-up. */
    fun experiment(
        load: String = "{users: 5, for: 1s}",
        stack: String = "ktor-netty",
        name: String = "tiny",
        path: String = "/hello",
    ): Path =
        folder.resolve("$name.yaml").also {
            it.writeText(
                """
                name: $name
                question: Does it work?
                stacks: [$stack]
                situations:
                  - {name: hello, words: say hello, request: GET $path, load: $load}
                trials: 1
                warm-up: {budget: 2s, load: 200ms, pause: 100ms}
                """.trimIndent(),
            )
        }

    /** With the launcher's own options. [maxFiles] limits the files that each of its processes may open. */
    fun start(vararg arguments: String, maxFiles: Int? = null): Started {
        val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
        val command = listOf(
            java, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dthreadgauge.home=$home",
            "-XX:+AutoCreateSharedArchive", "-XX:SharedArchiveFile=$ARCHIVE", "-Xlog:disable",
            "-Dthreadgauge.briefly=true", "-Dthreadgauge.servers.environment=$FOR_SERVERS", "-jar", "$JAR",
        ) + arguments
        val limit = maxFiles?.let { listOf("prlimit", "--nofile=$it", "--") }.orEmpty()
        val process = ProcessBuilder(limit + WITH_SIGNALS + command).directory(folder.toFile())
            .apply { environment() += environment + ("TICKETS_REHEARSAL" to REHEARSAL) }
            .redirectOutput(folder.resolve("out").toFile()).redirectError(folder.resolve("err").toFile()).start()
        return Started(process, folder)
    }

    fun run(vararg arguments: String, maxFiles: Int? = null): Started =
        start(*arguments, maxFiles = maxFiles).also { it.await(PATIENCE_SECONDS) }

    companion object {
        /** Length of the rehearsal of a sale whose speed does not matter. */
        private const val REHEARSAL = "1s"

        /** For the same reason servers use the first compiler only. */
        private const val FOR_SERVERS = "TICKETS_REHEARSAL=$REHEARSAL JDK_JAVA_OPTIONS=-XX:TieredStopAtLevel=1"

        /**
         * A shell that starts the tests in the background has them ignore Ctrl-C, and so would all that they start.
         * This gives the signals their meaning back, where `env` can do so.
         */
        private val WITH_SIGNALS: List<String> = listOf("env", "--default-signal=INT,HUP").let {
            val able = runCatching { ProcessBuilder(it + "true").start().waitFor() == 0 }.getOrDefault(false)
            if (able) it else emptyList()
        }

        /** Maven runs the tests in `commands/`. */
        val projectRoot: Path = Path.of("..").toAbsolutePath().normalize().also {
            check(Files.exists(it.resolve("servers/stacks/ktor/target/ktor.jar"))) {
                "the servers are not built; run ./threadgauge test"
            }
        }
        private val JAR = projectRoot.resolve("bench/target/threadgauge.jar").also {
            check(Files.exists(it)) { "the bench is not packed; run ./threadgauge test" }
        }

        /** Archive of classes. The launcher has one of its own, made with other JVM options. */
        private val ARCHIVE = projectRoot.resolve("commands/target/threadgauge.jsa")
    }
}

/** A command that was started, until it has ended and none of its processes is left. */
internal class Started(private val process: Process, private val folder: Path) {
    val out get() = folder.resolve("out").readText()
    val err get() = folder.resolve("err").readText()

    /** Fails if the command says that it has a bug: no test wants one, and where it is stands in its errors. */
    val exitCode get() = process.exitValue().also { check(it != ExitCode.OUR_BUG.number) { "a bug:\n$err" } }

    /** All descendants, as of now. To be kept, because a process whose parent has ended is no descendant any more. */
    fun family(): List<ProcessHandle> = process.toHandle().descendants().toList()

    /** The descendant JVM with [word] in its command, without the shells and `taskset`s around it. */
    fun member(word: String): ProcessHandle = eventually({ "a Java with $word in its command" }) {
        family().firstOrNull {
            commandOf(it).let { command -> word in command && command.substringBefore(' ').endsWith("java") }
        }
    }

    fun awaitOutput(word: String) {
        eventually({ "$word in the output; it is\n$out\n$err" }) {
            // Read before the output, which may grow until the process ends.
            val hasEnded = !process.isAlive
            val isSaid = word in out || word in err
            check(isSaid || !hasEnded) { "it ended with $exitCode and without $word:\n$out\n$err" }
            Unit.takeIf { isSaid }
        }
    }

    fun signal(name: String) {
        ProcessBuilder("kill", "-$name", process.pid().toString()).start().waitFor()
    }

    fun limitFiles(bytes: Long) {
        ProcessBuilder("prlimit", "--pid", process.pid().toString(), "--fsize=$bytes").inheritIO().start().waitFor()
    }

    fun limitOpenFiles(most: Int) {
        ProcessBuilder("prlimit", "--pid", process.pid().toString(), "--nofile=$most:$most").inheritIO().start()
            .waitFor()
    }

    /** Two minutes by default: a process that was asked to end must not go on until its load is over. */
    fun await(seconds: Long = 120) = apply {
        check(process.waitFor(seconds, TimeUnit.SECONDS)) { "it did not end in $seconds s:\n$out\n$err" }
    }

    fun recordFolder(): RecordFolder =
        RecordFolder(folder.resolve("results").listDirectoryEntries().single { it.isDirectory() })

    fun record(): Record = recordFolder().read()
}

/** Within a minute, so that a process that ends only because its load is over does not count as stopped. */
internal fun awaitAllGone(family: List<ProcessHandle>) =
    eventually({ "the end of all of ${family.map(::commandOf)}" }, seconds = 60) {
        Unit.takeIf { family.none(::runs) }
    }

/** With arguments, which `ProcessHandle` omits if they are long. */
internal fun commandOf(process: ProcessHandle): String =
    runCatching { Path.of("/proc/${process.pid()}/cmdline").readText().replace('\u0000', ' ') }.getOrDefault("")

internal fun <T : Any> eventually(what: () -> String, seconds: Long = PATIENCE_SECONDS, find: () -> T?): T {
    val end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds)
    while (true) {
        find()?.let { return it }
        check(System.nanoTime() < end) { "$seconds s went by without ${what()}" }
        Thread.sleep(20)
    }
}

/**
 * Many times what any step takes here: on a machine that runs other tests or builds, steps take minutes.
 */
internal const val PATIENCE_SECONDS = 900L

/** A root with one made-up stack, whose command is a shell script. */
internal fun homeWithStack(parent: Path, jar: String, arguments: String, model: String = "event-loop"): Path {
    val server = parent.resolve("home/servers/made-up").createDirectories()
    parent.resolve("home/experiments").createDirectories()
    server.resolve("stacks.yaml").writeText(
        """
        stacks:
          - name: made-up
            title: Made up for a test
            model: $model
            setting: as shipped
            jar: $jar
            java: []
            arguments: $arguments
        """.trimIndent(),
    )
    return parent.resolve("home")
}
