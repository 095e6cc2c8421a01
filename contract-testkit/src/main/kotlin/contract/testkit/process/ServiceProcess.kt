package threadgauge.contract.testkit.process

import java.io.File
import java.util.concurrent.TimeUnit

/**
 * A service that stacks call, in a process of its own. It has the class path of the test that starts it. Where the
 * system property `threadgauge.services` is `jars`, it starts from its jar, because it needs other versions of its
 * libraries than the stack. [main] is the fully qualified name of the class with `main`; for a jar it must be
 * `threadgauge.server.<module>.MainKt`.
 *
 * Ends with the tests' own process, or with [stop]. A [supervisor], a command that runs the service's command, ends it
 * instead where one is given.
 */
class ServiceProcess(
    private val main: String,
    private val arguments: List<String>,
    private val supervisor: List<String> = emptyList(),
) {
    private val log = File.createTempFile("threadgauge-service-", ".log").apply { deleteOnExit() }

    /** Null before [start]; set once by the thread that calls it. */
    private var process: Process? = null

    /** All output so far, errors included. */
    val output: String get() = log.readText()

    /** Its process, once started. */
    val handle: ProcessHandle get() = checkNotNull(process) { "$main was not started" }.toHandle()

    /** Starts it, waits until it is ready, and returns the endpoints that it prints, by name. */
    fun start(): Map<String, String> {
        val java = File(System.getProperty("java.home"), "bin/java").path
        val options = listOf("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
        val command = supervisor + java + options + listOf("-cp", classPath(), main) + arguments
        val process = ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start()
            .also { process = it }
        if (supervisor.isEmpty()) Runtime.getRuntime().addShutdownHook(Thread(::stop))
        val end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_START_SECONDS)
        while (true) {
            val hasEnded = !process.isAlive
            output.lines().dropLast(1).firstOrNull { it.startsWith(READY) }?.let { return endpointsOf(it) }
            check(!hasEnded) { "$main ended with ${process.exitValue()} before it was ready:\n$output" }
            check(System.nanoTime() < end) { "$main was not ready within $MAX_START_SECONDS s:\n$output" }
            Thread.sleep(POLL_MILLIS)
        }
    }

    /** Sends `SIGTERM`, and waits until the process has ended. */
    fun stop() {
        process?.destroy()
        if (process?.waitFor(MAX_STOP_SECONDS, TimeUnit.SECONDS) == false) process?.destroyForcibly()?.waitFor()
    }

    private fun classPath(): String {
        if (System.getProperty("threadgauge.services") != "jars") return System.getProperty("java.class.path")
        val module = main.split('.')[2]
        return "../../services/$module/target/$module.jar"
    }

    private fun endpointsOf(line: String): Map<String, String> =
        line.removePrefix(READY).split(' ').associate { it.substringBefore('=') to it.substringAfter('=') }

    private companion object {
        const val READY = "ready "
        const val POLL_MILLIS = 20L
        const val MAX_START_SECONDS = 180L
        const val MAX_STOP_SECONDS = 10L
    }
}
