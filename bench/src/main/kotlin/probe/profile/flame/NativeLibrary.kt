package threadgauge.probe.profile.flame

import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardCopyOption.ATOMIC_MOVE
import java.nio.file.StandardCopyOption.REPLACE_EXISTING
import java.security.MessageDigest
import java.util.HexFormat
import kotlin.io.path.createDirectories
import kotlin.io.path.isRegularFile
import kotlin.io.path.readBytes
import kotlin.io.path.writeBytes

/**
 * async-profiler as a file that a process can load, in [cache], the user's folder for such files. It stays there under
 * a name made of its content: a process that loads another copy of the same library would have two of them.
 */
internal class NativeLibrary(private val cache: Path = usersCache()) {
    /** The file, which is written if it is missing. Throws `IOException`. */
    fun file(): Path {
        val content = checkNotNull(NativeLibrary::class.java.getResourceAsStream("/$platform/$LIBRARY")) {
            "$platform/$LIBRARY is missing from the class path"
        }.use { it.readBytes() }
        val hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content)).take(HASH_LENGTH)
        val file = cache.resolve("async-profiler-$hash.so")
        if (file.isRegularFile() && file.readBytes().contentEquals(content)) return file
        cache.createDirectories()
        val next = Files.createTempFile(cache, "async-profiler-", ".next")
        try {
            next.writeBytes(content)
            Files.move(next, file, REPLACE_EXISTING, ATOMIC_MOVE)
        } finally {
            Files.deleteIfExists(next)
        }
        return file
    }

    companion object {
        private const val LIBRARY = "libasyncProfiler.so"
        private const val HASH_LENGTH = 16

        /** The folder of the library in its archive; null on a system without one. */
        val platform: String? = platformOf(System.getProperty("os.name"), System.getProperty("os.arch"))

        /** The library is for macOS, too, but was not tried there. */
        fun platformOf(system: String, architecture: String): String? = when (architecture) {
            "amd64", "x86_64" -> "linux-x64"
            "aarch64", "arm64" -> "linux-arm64"
            else -> null
        }.takeIf { system == "Linux" }

        private fun usersCache(): Path {
            val named = System.getenv("XDG_CACHE_HOME")?.takeIf { it.startsWith('/') }
            val home = System.getProperty("user.home") ?: throw IOException("user.home")
            return (named?.let(Path::of) ?: Path.of(home, ".cache")).resolve("threadgauge")
        }
    }
}
