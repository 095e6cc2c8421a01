package threadgauge.probe.profile

import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.readSymbolicLink

/**
 * Whether the process [pid] sees the same files under the same paths as this one: in a container it does not. True
 * where there is no `/proc`, because attaching needs a folder that both see.
 */
internal fun seesSameFiles(pid: Long): Boolean {
    val own = Path.of("/proc/self/ns/mnt")
    if (!Files.isSymbolicLink(own)) return true
    return runCatching {
        val other = Path.of("/proc/$pid")
        other.resolve("ns/mnt").readSymbolicLink() == own.readSymbolicLink() &&
            other.resolve("root").readSymbolicLink() == Path.of("/")
    }.getOrDefault(false)
}
