package threadgauge.server.database

import java.util.concurrent.TimeUnit

/**
 * A process that ends when we do, even if we are killed with `kill -9`. A small shell between the two reads a pipe that
 * only we hold open: when it closes, the shell tells the process to stop, and after four seconds kills it.
 */
internal class Owned private constructor(private val shell: Process) : AutoCloseable {
    val isAlive: Boolean get() = shell.isAlive

    fun awaitEnd() {
        shell.waitFor()
    }

    override fun close() {
        runCatching { shell.outputStream.close() }
        if (!shell.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) shell.destroyForcibly()
    }

    companion object {
        /**
         * What [command] prints goes to where our own errors go. It is told to stop by the signal [stop]; INT is PostgreSQL's fast
         * shutdown, which waits for no client.
         */
        fun start(command: List<String>, stop: String = "INT"): Owned {
            val shell = ProcessBuilder(listOf("/bin/sh", "-c", SCRIPT, "owned", stop) + command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start()
            checkNotNull(shell.inputReader().readLine()) { "${command.first()} could not be started" }
            return Owned(shell)
        }

        private const val PATIENCE_SECONDS = 6L

        /**
         * The shells ignore the signals that the whole group gets from the bench: they are needed until the end. Says a
         * word when the watcher runs.
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
