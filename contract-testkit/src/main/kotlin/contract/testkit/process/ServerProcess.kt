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
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import threadgauge.contract.freePort

/**
 * A stack in a process of its own, with the class path of the test that starts it. [main] is the fully qualified name
 * of the class with `main`. Null starts the stack's jar, which must have been built before the test.
 *
 * Used by one thread. [stop] leaves nothing behind, however far [start] came. If [stop] is not called, because the
 * build was aborted, the server ends with the tests' own process.
 */
class ServerProcess(private val main: String?, private val stack: ShippedStack) {
    private val log = File.createTempFile("threadgauge-${stack.name}-", ".log").apply { deleteOnExit() }
    private var process: Process? = null
    private var archive: ServerArchive.Use? = null

    /** From its launch until it accepted connections; by this, a test knows how busy the machine is. */
    var startSeconds = 0.0
        private set

    /** All output of the server so far, errors included. */
    val output: String get() = log.readText()

    /** Its process id, once started. */
    val pid: Long get() = checkNotNull(process) { "${stack.name} was not started" }.pid()

    /** Starts the server on a free port and returns when it accepts connections. Queues behind other starts. */
    fun start(): URI {
        permits.acquire()
        try {
            return startNow(freePort())
        } finally {
            permits.release()
        }
    }

    private fun startNow(port: Int): URI {
        val begin = System.nanoTime()
        val process = launch(port)
        val end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_START_SECONDS)
        while (!keepsAccepting(port)) {
            check(process.isAlive) { "${stack.name} ended with ${process.exitValue()} before it served:\n$output" }
            check(System.nanoTime() < end) { "${stack.name} did not serve within $MAX_START_SECONDS s:\n$output" }
            Thread.sleep(20)
        }
        startSeconds = (System.nanoTime() - begin) / 1e9
        return URI("http://127.0.0.1:$port")
    }

    /** Starts the server on [port] and returns at once. */
    fun launch(port: Int): Process {
        val java = File(System.getProperty("java.home"), "bin/java").path
        val what =
            if (main == null) listOf("-jar", stack.jar)
            else listOf("-cp", ServerArchive.classPath, main)
        val archived = main?.let { ServerArchive.of(it).forStart() }.also { archive = it }?.options.orEmpty()
        // A few hundred requests do not repay the second compiler, nor a collector with many threads.
        val options = listOf("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
        val command = listOf(java) + options + archived + stack.java(port) + what + stack.arguments(port)
        return ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start()
            .also { process = it; endWithTests(it) }
    }

    /**
     * Sends `SIGTERM`, and waits until the process has ended. One that still serves after [patience] writes the stacks
     * of its threads to its [output]. Returns the seconds that the server took; those in which its JVM then writes an
     * archive of classes for other starts, many on a busy machine, are none of its own.
     */
    fun stop(patience: Duration = MAX_STOP_SECONDS.seconds): Double {
        val process = process ?: return 0.0
        val begin = System.nanoTime()
        process.destroy()
        if (!hasEnded(process, patience)) {
            ProcessBuilder("kill", "-QUIT", "$pid").start().waitFor()
            hasEnded(process, MAX_STOP_SECONDS.seconds)
        }
        val seconds = (System.nanoTime() - begin) / 1e9
        if (!process.waitFor(MAX_STOP_SECONDS, TimeUnit.SECONDS)) process.destroyForcibly().waitFor()
        archive?.ended()
        archive = null
        return seconds
    }

    private fun hasEnded(process: Process, patience: Duration): Boolean {
        val end = System.nanoTime() + patience.inWholeNanoseconds
        while (process.isAlive && archive?.isWriting != true) {
            if (System.nanoTime() >= end) return false
            process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)
        }
        return true
    }

    companion object {
        /** Far more than a cold start takes, even on a machine that builds something else. */
        private const val MAX_START_SECONDS = 180L
        private const val MAX_STOP_SECONDS = 60L
        private const val LOOK_MILLIS = 20L

        /** One per core: a start is CPU-bound, and more at a time would delay all of them. */
        private val permits = Semaphore(Runtime.getRuntime().availableProcessors())

        private val loopback = InetAddress.getLoopbackAddress()

        private val running: MutableSet<Process> = ConcurrentHashMap.newKeySet()

        init {
            Runtime.getRuntime().addShutdownHook(Thread { running.forEach { it.destroyForcibly() } })
        }

        private fun endWithTests(process: Process) {
            running += process
            process.onExit().thenRun { running -= process }
        }

        /**
         * Twice: once a connection was accepted for a moment before the server listened. Which process accepted it is
         * not known.
         */
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
