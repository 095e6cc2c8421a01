package threadgauge.contract.testkit.process

import java.io.File
import java.util.concurrent.TimeUnit

/**
 * What stacks need beside themselves, in a process of its own with the class path of the test that starts it, or from its jar where the
 * system property `threadgauge.services` is `jars`, because it goes with other versions than the stack. [main] is the fully qualified
 * name of the class with `main`, `threadgauge.server.<module>.MainKt` where there is a jar. Ends with the tests' own process, or with
 * [stop]. Where there is a [leash], a command that the service's own is given to, it is the leash that ends it.
 */
class ServiceProcess(private val main: String, private val arguments: List<String>, private val leash: List<String> = emptyList()) {
    private val log = File.createTempFile("threadgauge-service-", ".log").apply { deleteOnExit() }

    /** Null before [start]; set once by the thread that calls it. */
    private var process: Process? = null

    /** All that it wrote so far, errors included. */
    val output: String get() = log.readText()

    /** Its process, once started. */
    val handle: ProcessHandle get() = checkNotNull(process) { "$main was not started" }.toHandle()

    /** Starts it and gives what it gives when it is ready, by name. */
    fun start(): Map<String, String> {
        val java = File(System.getProperty("java.home"), "bin/java").path
        val options = listOf("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
        val command = leash + java + options + listOf("-cp", classPath(), main) + arguments
        val process = ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start().also { process = it }
        if (leash.isEmpty()) Runtime.getRuntime().addShutdownHook(Thread(::stop))
        val end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MOST)
        while (true) {
            val hasEnded = !process.isAlive
            output.lines().dropLast(1).firstOrNull { it.startsWith(READY) }?.let { return given(it) }
            check(!hasEnded) { "$main ended with ${process.exitValue()} before it was ready:\n$output" }
            check(System.nanoTime() < end) { "$main was not ready within $START_SECONDS_MOST s:\n$output" }
            Thread.sleep(POLL_MILLIS)
        }
    }

    /** Asks it to end, as `SIGTERM` does, and waits until it has. */
    fun stop() {
        process?.destroy()
        if (process?.waitFor(STOP_SECONDS_MOST, TimeUnit.SECONDS) == false) process?.destroyForcibly()?.waitFor()
    }

    private fun classPath(): String {
        if (System.getProperty("threadgauge.services") != "jars") return System.getProperty("java.class.path")
        val module = main.split('.')[2]
        return "../../services/$module/target/$module.jar"
    }

    private fun given(line: String): Map<String, String> =
        line.removePrefix(READY).split(' ').associate { it.substringBefore('=') to it.substringAfter('=') }

    private companion object {
        const val READY = "ready "
        const val POLL_MILLIS = 20L
        const val START_SECONDS_MOST = 180L
        const val STOP_SECONDS_MOST = 10L
    }
}
