package threadgauge

import java.nio.file.Path
import kotlin.io.path.readText

/**
 * Whether [process] still runs. One that has ended and waits for its parent to ask for the exit code (a zombie) does
 * not: where the first process of a container never asks, an orphan stays in that state for good.
 */
fun runs(process: ProcessHandle): Boolean = process.isAlive && stateOf(process.pid()) !in setOf('Z', 'X')

/** The letter after the name in `/proc/<pid>/stat` (proc_pid_stat(5)); a blank where there is no such file. */
private fun stateOf(pid: Long): Char =
    runCatching { Path.of("/proc/$pid/stat").readText().substringAfterLast(')').trim().first() }.getOrDefault(' ')
