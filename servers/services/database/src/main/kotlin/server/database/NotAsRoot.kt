package threadgauge.server.database

import java.nio.file.Files
import java.nio.file.Path

/**
 * Prefix for a command that must not run as root, which PostgreSQL refuses. In a user namespace of its own the process
 * is nobody, while its files stay ours. [folder] belongs to this process' user.
 */
internal fun notAsRoot(folder: Path): List<String> {
    if (Files.getAttribute(folder, "unix:uid") != 0) return emptyList()
    val test = ProcessBuilder("unshare", "-U", "true").redirectErrorStream(true)
    val isPossible = runCatching { test.start().waitFor() }.getOrNull() == 0
    check(isPossible) {
        "PostgreSQL does not run as root, and unshare -U does not work on this system; run as another user"
    }
    return listOf("unshare", "-U")
}
