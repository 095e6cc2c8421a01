package threadgauge.dist

import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.isExecutable
import kotlin.io.path.isRegularFile
import kotlin.io.path.isSymbolicLink
import kotlin.io.path.name
import kotlin.io.path.readSymbolicLink

/**
 * The root of an image's file system, of what this machine has: a shell, the few programs that the launcher and the
 * supervisor of processes call, and the libraries that these and the JDK in [runtime] are linked with. No registry and
 * no package manager takes part.
 */
internal fun copiedRoot(runtime: Path): List<Entry> {
    val programs = PROGRAMS.associateWith(::onPath)
    val ofRuntime = Files.walk(runtime).use { all ->
        all.filter { it.isRegularFile() && !it.isSymbolicLink() && it.isNative }.toList()
    }
    val libraries = (programs.values + ofRuntime).flatMapTo(sortedSetOf()) { file ->
        librariesOf(file, along = ofRuntime.mapTo(HashSet()) { it.name })
    }
    // Libraries of natives within jars; since glibc 2.34 they are empty, and still asked for.
    val libc = libraries.first { it.substringAfterLast('/').startsWith("libc.so") }
    libraries += OLD_NAMES.map { libc.substringBeforeLast('/') + "/" + it }.filter { Path.of(it).exists() }
    return programs.map { (name, file) -> FileEntry("bin/$name", file, isExecutable = true) } +
        libraries.map { FileEntry(it.removePrefix("/"), Path.of(it).toRealPath(), isExecutable = true) } +
        OWN_FILES
}

/** The same of a [folder] that holds a complete root, such as an unpacked image or one of debootstrap. */
internal fun givenRoot(folder: Path): List<Entry> {
    if (!folder.resolve("bin/sh").let { it.exists() || it.isSymbolicLink() }) {
        throw DistFailed("there is no bin/sh in $folder", "Name the root of a Linux with a shell.", USAGE)
    }
    val files = Files.walk(folder).use { all ->
        all.filter { it.isSymbolicLink() || it.isRegularFile() }.toList()
    }.map { file ->
        val path = folder.relativize(file).joinToString("/")
        if (file.isSymbolicLink()) LinkEntry(path, file.readSymbolicLink().toString()) else
            FileEntry(path, file, file.isExecutable())
    }
    val theirs = files.mapTo(HashSet()) { it.path }
    return files + OWN_FILES.filter { it.path !in theirs }
}

/** Windows and sound stay outside: what they are linked with is half a desktop, and nothing here opens a window. */
private val Path.isNative: Boolean
    get() = DESKTOP.none { name.startsWith(it) } && (name.endsWith(".so") || parent.endsWith("bin") ||
        name == "jspawnhelper")

/** Absolute paths of the libraries that [file] needs, by ldd, besides those that come [along]. */
private fun librariesOf(file: Path, along: Set<String>): List<String> {
    val ldd = try {
        ProcessBuilder("ldd", file.toString()).redirectErrorStream(true).start()
    } catch (_: java.io.IOException) {
        throw noRoot("ldd")
    }
    val lines = ldd.inputReader().readLines()
    ldd.waitFor()
    val missing = lines.filter { it.endsWith("=> not found") }.map { it.trim().substringBefore(' ') }
    missing.firstOrNull { it !in along }?.let { library ->
        throw DistFailed("$file needs $library, which this machine lacks", NO_ROOT)
    }
    return lines.mapNotNull { LIBRARY.find(it)?.groupValues?.get(1) }.filter { "/runtime/" !in it }
}

private fun onPath(name: String): Path = System.getenv("PATH").orEmpty().split(':').map { Path.of(it, name) }
    .firstOrNull { it.isExecutable() }?.toRealPath() ?: throw noRoot(name)

private fun noRoot(program: String) = DistFailed("the image needs $program, which is not on the PATH", NO_ROOT)

private const val NO_ROOT = "Install it, name another root with --image-root FOLDER, or use --no-image."

private val LIBRARY = Regex("""(?:=>\s+|^\s+)(/\S+)\s+\(0x""")

private val DESKTOP = listOf("libawt", "libsplash", "libfontmanager", "libjawt", "libjsound", "libfreetype", "liblcms",
    "libmlib", "libjavajpeg")

private val OLD_NAMES = listOf("libpthread.so.0", "libdl.so.2", "librt.so.1", "libm.so.6")

private val PROGRAMS = listOf(
    "sh", "env", "cat", "dirname", "readlink", "sleep", "ls", "mkdir", "rm", "tail", "setsid", "taskset", "prlimit",
)

/** The user of the image, so that nothing runs as root unless asked to. */
internal const val IMAGE_USER = 10_001L
private val OWN_FILES = listOf(
    TextEntry("etc/passwd", "root:x:0:0:root:/:/bin/sh\nthreadgauge:x:$IMAGE_USER:$IMAGE_USER::/work:/bin/sh\n"),
    TextEntry("etc/group", "root:x:0:\nthreadgauge:x:$IMAGE_USER:\n"),
    TextEntry("etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n"),
    FolderEntry("tmp", mode = 0x3FF),
    FolderEntry("proc", mode = 0x16D),
    FolderEntry("work", mode = 0x1ED, user = IMAGE_USER),
)
