package threadgauge.server.database

import java.nio.file.Files
import java.nio.file.Path

/**
 * What to write before a command so that it does not run as root, which PostgreSQL refuses. In a user namespace of its
 * own the same process is nobody, while its files still are ours. [folder] is one of ours.
 */
internal fun notAsRoot(folder: Path): List<String> {
    if (Files.getAttribute(folder, "unix:uid") != 0) return emptyList()
    val can = runCatching { ProcessBuilder("unshare", "-U", "true").redirectErrorStream(true).start().waitFor() }.getOrNull() == 0
    check(can) { "PostgreSQL does not run as root, and this system lets nobody be made of root (unshare -U); be another user" }
    return listOf("unshare", "-U")
}
