package threadgauge.probe.profile.flame

import java.io.IOException
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicBoolean
import javax.management.MBeanServerConnection
import javax.management.ObjectName

/**
 * async-profiler in the JVM behind [connection]: CPU time by a timer of each thread, which needs no permission of the
 * kernel, and what all threads do by the clock. It writes into [file], in the format of JFR. The library stays in the
 * process, without a timer or a thread of its own, because a JVM cannot unload it.
 *
 * Belongs to one thread; [close] may be called from any, more than once.
 */
internal class NativeSampler(
    private val connection: MBeanServerConnection,
    private val file: Path,
    private val library: NativeLibrary = NativeLibrary(),
) : AutoCloseable {
    private val isRunning = AtomicBoolean()

    @Volatile
    private var isClosed = false

    /**
     * Starts it. It ends by itself after [maxSeconds], in case nobody is left to end it. Throws `IOException` if the
     * process cannot load it, and what JMX throws.
     */
    fun start(maxSeconds: Long) {
        if (CANNOT_BE_PASSED.any { it in "$file" }) throw IOException("$file")
        command("start,jfr,$WHAT,timeout=$maxSeconds,file=$file")
        // Not before: if somebody else's runs already, it is not ours to end.
        isRunning.set(true)
        if (isClosed) close()
    }

    /** Ends it, so that [file] is complete. Throws what JMX throws, and `IOException` if it does not run any more. */
    fun stop() {
        if (isRunning.getAndSet(false)) command("stop")
    }

    override fun close() {
        isClosed = true
        runCatching { stop() }
    }

    /** Quotes keep the JVM from taking the part before an equals sign for the name of an option. */
    private fun command(words: String) {
        val arguments = arrayOf("\"${library.file()}\"", "\"$words\"")
        val answer = connection.invoke(COMMANDS, "jvmtiAgentLoad", arrayOf(arguments), SIGNATURE) as String
        if (answer.trim() != SUCCESS) throw IOException("async-profiler: ${answer.trim()}")
    }

    private companion object {
        val COMMANDS = ObjectName("com.sun.management:type=DiagnosticCommand")
        val SIGNATURE = arrayOf("[Ljava.lang.String;")
        const val SUCCESS = "return code: 0"

        /**
         * Samples by the clock are not summed, so that each has a moment, which may be outside of the window. Each
         * wakes a thread, so they are few: every 10 ms they took 8 % of a core from a service of 50 threads.
         */
        const val WHAT = "event=ctimer,interval=${CPU_SAMPLE_MILLIS}ms,wall=50ms,nobatch,jstackdepth=256"

        /** `%` begins a pattern of file names, and a comma the next option. */
        const val CANNOT_BE_PASSED = "\"\\,%\n\r"
    }
}

/** CPU time that one sample stands for. */
internal const val CPU_SAMPLE_MILLIS = 10
