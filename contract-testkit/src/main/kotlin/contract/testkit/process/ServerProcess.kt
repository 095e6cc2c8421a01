package threadgauge.contract.testkit.process

import java.io.File
import java.io.IOException
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.Socket
import java.net.URI
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.Semaphore
import java.util.concurrent.TimeUnit
import threadgauge.contract.freePort

/**
 * A stack in a process of its own with the class path of the test that starts it. [main] is the fully qualified name
 * of the class with `main`; null starts the jar that the stack is shipped as, which must have been built before the test.
 * Used by one thread; [stop] leaves nothing behind, however far [start] came. Where nobody calls it, because the build was stopped, the
 * server ends with the tests' own process.
 */
class ServerProcess(private val main: String?, private val stack: ShippedStack) {
    private val log = File.createTempFile("threadgauge-${stack.name}-", ".log").apply { deleteOnExit() }
    private var process: Process? = null

    /** All that the server wrote so far, errors included. */
    val output: String get() = log.readText()

    /** Number of its process, once started. */
    val pid: Long get() = checkNotNull(process) { "${stack.name} was not started" }.pid()

    /** Starts the server on a free port and returns when it accepts connections. Waits for its turn, where many start. */
    fun start(): URI {
        turns.acquire()
        try {
            return startNow(freePort())
        } finally {
            turns.release()
        }
    }

    private fun startNow(port: Int): URI {
        val process = launch(port)
        val end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MOST)
        while (!keepsAccepting(port)) {
            check(process.isAlive) { "${stack.name} ended with ${process.exitValue()} before it served:\n$output" }
            check(System.nanoTime() < end) { "${stack.name} did not serve within $START_SECONDS_MOST s:\n$output" }
            Thread.sleep(20)
        }
        return URI("http://127.0.0.1:$port")
    }

    /** Starts the server on [port] and returns at once. */
    fun launch(port: Int): Process {
        val java = File(System.getProperty("java.home"), "bin/java").path
        val what = if (main == null) listOf("-jar", stack.jar) else listOf("-cp", System.getProperty("java.class.path"), main)
        // It serves a few hundred requests, too few to repay a second compiler and a collector of many threads.
        val options = listOf("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
        val command = listOf(java) + options + stack.java(port) + what + stack.arguments(port)
        return ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start()
            .also { process = it; endWithTests(it) }
    }

    /** Asks the server to end, as `SIGTERM` does. */
    fun stop() {
        process?.destroy()
        if (process?.waitFor(10, TimeUnit.SECONDS) == false) process?.destroyForcibly()?.waitFor()
    }

    companion object {
        /** Far more than a cold start takes, also on a machine that builds something else. */
        private const val START_SECONDS_MOST = 180L

        /** A start is all computing: more at a time than there are cores would only make each late. */
        private val turns = Semaphore(Runtime.getRuntime().availableProcessors())

        private val loopback = InetAddress.getLoopbackAddress()

        private val running: MutableSet<Process> = ConcurrentHashMap.newKeySet()

        init {
            Runtime.getRuntime().addShutdownHook(Thread { running.forEach { it.destroyForcibly() } })
        }

        private fun endWithTests(process: Process) {
            running += process
            process.onExit().thenRun { running -= process }
        }

        /** Twice: a connection was seen to be accepted for a moment before the server listened, by whom is not known. */
        private fun keepsAccepting(port: Int): Boolean = accepts(port) && run {
            Thread.sleep(50)
            accepts(port)
        }

        private fun accepts(port: Int): Boolean = try {
            Socket().use { it.connect(InetSocketAddress(loopback, port), 1_000) }
            true
        } catch (_: IOException) {
            false
        }
    }
}
