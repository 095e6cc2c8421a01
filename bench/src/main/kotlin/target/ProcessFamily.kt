package threadgauge.target

import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.streams.asSequence

/**
 * [leader], its descendants, and on Linux all processes of the session that it leads. A service that is started by a
 * script, or that has workers, is more than one process, and a worker whose parent has ended stays in the session.
 */
internal fun familyOf(leader: Long): Set<Long> {
    val known = LinkedHashSet(listOf(leader))
    ProcessHandle.of(leader).ifPresent { handle -> handle.descendants().forEach { known += it.pid() } }
    val processes = Path.of("/proc").takeIf { Files.isDirectory(it.resolve("self/task")) } ?: return known
    val ids = runCatching {
        Files.list(processes).use { all -> all.asSequence().mapNotNull { it.name.toLongOrNull() }.toList() }
    }
    ids.getOrDefault(emptyList()).filterTo(known) { sessionOf(it) == leader }
    return known
}

/** Field 6 of proc_pid_stat(5). The name in parentheses before it may contain spaces. Null once the process is gone. */
private fun sessionOf(pid: Long): Long? {
    val stat = runCatching { Path.of("/proc/$pid/stat").readText() }.getOrNull() ?: return null
    return stat.substringAfterLast(") ").split(' ', limit = 5).getOrNull(3)?.toLongOrNull()
}
