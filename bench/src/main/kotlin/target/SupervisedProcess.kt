package threadgauge.target

import java.nio.file.Path
import java.time.Duration
import java.util.concurrent.TimeUnit
import threadgauge.model.failure.TargetFault

/**
 * A process that cannot outlive its owner. A small shell stands between the two and holds one end of a pipe. When the
 * other end closes (the owner closes it, ends, crashes, or is killed with `kill -9`), the shell stops the process and
 * its children: with TERM, and with KILL after five seconds. What a daemon started for the process is none of its
 * children: for that, the shell runs a last command, however the process has ended.
 *
 * The process leads a session of its own, so Ctrl-C at the terminal reaches only the owner, which decides what to stop
 * and when.
 */
class SupervisedProcess private constructor(
    private val shell: Process,
    val pid: Long,
    val log: Path,
    private val patienceSeconds: Long,
) : AutoCloseable {
    val isAlive get() = shell.isAlive

    /** Exit code of the process; null while it runs. */
    val exitCode: Int? get() = if (shell.isAlive) null else shell.exitValue()

    /** Waits until the process ends by itself; false if it has not within [patience]. */
    fun awaitEnd(patience: Duration): Boolean = shell.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)

    /**
     * Stops the process and waits until it is gone, about eight seconds at most, and its last command too, another
     * twenty. May be called twice and from any thread.
     */
    override fun close() {
        runCatching { shell.outputStream.close() }
        if (shell.waitFor(patienceSeconds, TimeUnit.SECONDS)) return
        ProcessHandle.of(pid).ifPresent { it.destroyForcibly() }
        shell.destroyForcibly().waitFor()
    }

    companion object {
        /**
         * Starts [command] in [folder] and appends all its output to [log]. Its environment is [inherits], which is
         * clean unless the caller passes more, and [environment], which wins. When the process has ended, [afterwards]
         * is run, unless it is empty; its output is lost. Throws [TargetFailed] if the process cannot be started.
         */
        fun start(
            command: List<String>,
            folder: Path,
            log: Path,
            environment: Map<String, String> = emptyMap(),
            inherits: Map<String, String> = cleanEnvironment(),
            afterwards: List<String> = emptyList(),
        ): SupervisedProcess {
            val last = afterwards.joinToString(" ", transform = ::quotedForShell)
            val own = listOf(log.toAbsolutePath().toString(), last)
            val shell =
                ProcessBuilder(listOf("/bin/sh", "-c", SCRIPT, "supervised") + own + command)
                    .directory(folder.toFile())
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .apply { environment().run { clear(); putAll(inherits + environment) } }
                    .start()
            val pid = shell.inputReader().readLine()?.toLongOrNull()
            if (pid == null) {
                shell.destroyForcibly()
                throw TargetFailed(TargetFault.NotStarted(command.first()), log)
            }
            val patience = PATIENCE_SECONDS + if (afterwards.isEmpty()) 0 else AFTERWARDS_SECONDS
            return SupervisedProcess(shell, pid, log, patience)
        }

        private fun quotedForShell(word: String) = "'${word.replace("'", "'\\''")}'"
    }
}

/** Longer than the script's own five seconds between TERM and KILL. */
private const val PATIENCE_SECONDS = 8L
private const val AFTERWARDS_SECONDS = 20L

/**
 * `$1` is the log, `$2` the last command, the rest is the command. Where there is no `setsid` (macOS), job control
 * gives the command a process group instead. The watcher reads the pipe on descriptor 3 and never gets a line: the end
 * of the pipe is the signal. The command has the same pipe as its standard input, because some programs end when that
 * ends. The process id is printed once the watcher runs: from then on even `kill -9` of the shell leaves nothing.
 *
 * Of a command that a signal has ended, the last command is run again after a second: what it undoes may have been
 * under way, such as a container that a daemon was just asked for.
 */
private val SCRIPT = """
    log=${'$'}1; afterwards=${'$'}2; shift 2
    trap '' INT HUP
    exec 3<&0
    last() {
      eval "${'$'}afterwards"
      [ -z "${'$'}afterwards" ] || [ "${'$'}1" -lt 128 ] || { sleep 1; eval "${'$'}afterwards"; }
    }
    if command -v setsid >/dev/null 2>&1; then
      setsid "${'$'}@" >>"${'$'}log" 2>&1 <&3 3<&- &
    else
      set -m
      "${'$'}@" >>"${'$'}log" 2>&1 <&3 3<&- &
    fi
    child=${'$'}!
    (
      while read -r _ <&3; do :; done
      kill -TERM "-${'$'}child" || kill -TERM "${'$'}child"
      tenths=0
      while kill -0 "${'$'}child" && [ "${'$'}tenths" -lt 50 ]; do sleep 0.1; tenths=$((tenths + 1)); done
      kill -KILL "-${'$'}child" || kill -KILL "${'$'}child"
      kill -0 "${'$'}${'$'}" || last 137
    ) >/dev/null 2>&1 &
    watcher=${'$'}!
    echo "${'$'}child"
    exec >/dev/null
    trap 'kill -KILL "-${'$'}child" 2>/dev/null' TERM
    wait "${'$'}child"
    code=${'$'}?
    kill -KILL "${'$'}watcher" "-${'$'}child" 2>/dev/null
    last "${'$'}code" 2>/dev/null
    exit "${'$'}code"
""".trimIndent()
