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
 * Threadgauge as a user starts it: a process of its own, in a folder of its own, with everything that it starts
 * accounted for.
 */
internal class CommandLine(val folder: Path, private val home: Path = projectRoot) {
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

    /** By the launcher's own options. With [maxFiles] no process that is started may open more. */
    fun start(vararg arguments: String, maxFiles: Int? = null): Started {
        val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
        val command = listOf(
            java, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dthreadgauge.home=$home",
            "-XX:+AutoCreateSharedArchive", "-XX:SharedArchiveFile=$ARCHIVE", "-Xlog:disable",
            "-Dthreadgauge.briefly=true", "-Dthreadgauge.servers.environment=$FOR_SERVERS", "-jar", "$JAR",
        ) + arguments
        val limit = maxFiles?.let { listOf("prlimit", "--nofile=$it", "--") }.orEmpty()
        val process = ProcessBuilder(limit + WITH_SIGNALS + command).directory(folder.toFile())
            .apply { environment()["TICKETS_REHEARSAL"] = REHEARSAL }
            .redirectOutput(folder.resolve("out").toFile()).redirectError(folder.resolve("err").toFile()).start()
        return Started(process, folder)
    }

    fun run(vararg arguments: String, maxFiles: Int? = null): Started =
        start(*arguments, maxFiles = maxFiles).also { it.await(PATIENCE_SECONDS) }

    companion object {
        /** Of a sale whose speed nobody looks at. */
        private const val REHEARSAL = "1s"

        /** For the same reason servers are not compiled as thoroughly as they could be. */
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

        /** Of classes. The launcher has one of its own, which is made with other options of the JVM. */
        private val ARCHIVE = projectRoot.resolve("commands/target/threadgauge.jsa")
    }
}

/** A command that was started, until it has ended and nothing of it is left. */
internal class Started(private val process: Process, private val folder: Path) {
    val out get() = folder.resolve("out").readText()
    val err get() = folder.resolve("err").readText()
    val exitCode get() = process.exitValue()

    /** Every process below, as seen now; keep it, because a process that loses its parent moves elsewhere. */
    fun family(): List<ProcessHandle> = process.toHandle().descendants().toList()

    /** The Java below that has [word] in its command, not the shells and `taskset`s around it. */
    fun member(word: String): ProcessHandle = eventually({ "a Java with $word in its command" }) {
        family().firstOrNull {
            commandOf(it).let { command -> word in command && command.substringBefore(' ').endsWith("java") }
        }
    }

    fun awaitOutput(word: String) {
        eventually({ "$word in the output; it is\n$out\n$err" }) {
            // Asked before the output is read: its last words may be those.
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

    /** Two minutes unless told: who was asked to end, or lost what it needs, must not go on until its load is over. */
    fun await(seconds: Long = 120) = apply {
        check(process.waitFor(seconds, TimeUnit.SECONDS)) { "it did not end in $seconds s:\n$out\n$err" }
    }

    fun recordFolder(): RecordFolder =
        RecordFolder(folder.resolve("results").listDirectoryEntries().single { it.isDirectory() })

    fun record(): Record = recordFolder().read()
}

/** Within a minute, so that what ends only because its load is over is not taken for what was ended. */
internal fun awaitAllGone(family: List<ProcessHandle>) =
    eventually({ "the end of all of ${family.map(::commandOf)}" }, seconds = 60) {
        Unit.takeIf { family.none(::runs) }
    }

/** Arguments too, which `ProcessHandle` leaves out where they are long. */
internal fun commandOf(process: ProcessHandle): String =
    runCatching { Path.of("/proc/${process.pid()}/cmdline").readText().replace('\u0000', ' ') }.getOrDefault("")

private fun <T : Any> eventually(what: () -> String, seconds: Long = PATIENCE_SECONDS, find: () -> T?): T {
    val end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds)
    while (true) {
        find()?.let { return it }
        check(System.nanoTime() < end) { "$seconds s went by without ${what()}" }
        Thread.sleep(20)
    }
}

/**
 * Many times what anything takes here: others run at the same time, and a machine that builds something else takes
 * minutes.
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
