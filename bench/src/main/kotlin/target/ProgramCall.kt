package threadgauge.target

import java.io.IOException
import java.util.concurrent.CompletableFuture
import java.util.concurrent.Executor
import java.util.concurrent.TimeUnit

/** What a program printed until it ended; [exitCode] is null if it had to be ended. */
class Called(val exitCode: Int?, val output: String, private val errors: String) {
    /** The last lines of what it printed as errors, as one. */
    val detail: String
        get() = errors.lines().map { it.trim() }.filter { it.isNotEmpty() }.takeLast(MOST_LINES)
            .joinToString(" ").take(MOST_LENGTH)

    private companion object {
        const val MOST_LINES = 3
        const val MOST_LENGTH = 500
    }
}

/**
 * Calls a program that ends by itself, with [input] to read, and ends it after [patienceSeconds]. Null if it is not
 * installed. For any thread; blocks it.
 */
fun called(command: List<String>, patienceSeconds: Long, input: String? = null): Called? {
    val process = try {
        ProcessBuilder(command).start()
    } catch (_: IOException) {
        return null
    }
    try {
        // Both are read at once, on threads of their own: a pipe that nobody empties stops the process, and the common
        // pool of two cores has one thread.
        val output = CompletableFuture.supplyAsync({ process.inputReader().readText() }, OWN_THREADS)
        val errors = CompletableFuture.supplyAsync({ process.errorReader().readText() }, OWN_THREADS)
        runCatching { process.outputWriter().use { if (input != null) it.write(input) } }
        val hasEnded = process.waitFor(patienceSeconds, TimeUnit.SECONDS)
        if (!hasEnded) return Called(null, "", "")
        // Before it is destroyed, which closes both.
        return Called(
            process.exitValue(), output.get(patienceSeconds, TimeUnit.SECONDS),
            errors.get(patienceSeconds, TimeUnit.SECONDS),
        )
    } finally {
        process.destroyForcibly()
    }
}

private val OWN_THREADS = Executor { Thread.ofVirtual().name("program-output").start(it) }
