package threadgauge.server.database

import java.util.concurrent.TimeUnit

/**
 * A process that ends with this one, even after `kill -9`. A small shell between the two reads a pipe that only this
 * process holds open. When the pipe closes, the shell sends the stop signal, and kills the process after four seconds.
 */
internal class OwnedProcess private constructor(private val shell: Process) : AutoCloseable {
    val isAlive: Boolean get() = shell.isAlive

    fun awaitEnd() {
        shell.waitFor()
    }

    override fun close() {
        runCatching { shell.outputStream.close() }
        if (!shell.waitFor(MAX_STOP_SECONDS, TimeUnit.SECONDS)) shell.destroyForcibly()
    }

    companion object {
        /**
         * The output of [command] goes to our standard error. [stop] is the stop signal; INT is PostgreSQL's fast
         * shutdown, which waits for no client.
         */
        fun start(command: List<String>, stop: String = "INT"): OwnedProcess {
            val shell = ProcessBuilder(listOf("/bin/sh", "-c", SCRIPT, "owned", stop) + command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start()
            checkNotNull(shell.inputReader().readLine()) { "${command.first()} could not be started" }
            return OwnedProcess(shell)
        }

        private const val MAX_STOP_SECONDS = 6L

        /**
         * The shells ignore the signals that the bench sends to the whole process group, because they are needed until
         * the end. Prints a word when the watcher runs.
         */
        private val SCRIPT = """
            trap '' INT HUP TERM
            stop=${'$'}1
            shift
            exec 3<&0
            "${'$'}@" >&2 </dev/null 3<&- &
            child=${'$'}!
            (
              while read -r _ <&3; do :; done
              kill -"${'$'}stop" "${'$'}child"
              tenths=0
              while kill -0 "${'$'}child" && [ "${'$'}tenths" -lt 40 ]; do sleep 0.1; tenths=$((tenths + 1)); done
              kill -KILL "${'$'}child"
            ) >/dev/null 2>&1 &
            watcher=${'$'}!
            echo watched
            exec >/dev/null
            wait "${'$'}child"
            code=${'$'}?
            kill -KILL "${'$'}watcher" 2>/dev/null
            exit "${'$'}code"
        """.trimIndent()
    }
}
