package threadgauge.store

import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardCopyOption
import java.time.LocalDateTime
import java.util.zip.Deflater
import java.util.zip.ZipEntry
import java.util.zip.ZipException
import java.util.zip.ZipFile
import java.util.zip.ZipOutputStream
import kotlin.io.path.createDirectories
import kotlin.io.path.name
import kotlinx.serialization.json.Json
import threadgauge.model.failure.RecordFault

/**
 * Records in one file, to be kept or sent: a ZIP with `<folder>/record.json` for each of [folders]. Reports are rebuilt
 * from that alone, so logs and histograms stay behind, and so do the folders of the machine, see [redactPaths]. Secrets
 * are in no record. The same records give the same bytes. Throws [UnreadableRecord] where one of them is none, and
 * [IOException] where [file] cannot be written; then a former [file] is as it was.
 */
fun pack(folders: List<RecordFolder>, file: Path) {
    folders.forEach { it.read() }
    val names = folders.map { "${it.path.toAbsolutePath().normalize().name}/$RECORD_FILE" }
    val odd = names.firstOrNull { !NAME.matches(it) }
    if (odd != null) throw UnreadableRecord(RecordFault.UnpackableName(odd))
    if (names.distinct().size < names.size) throw UnreadableRecord(RecordFault.SameName)
    val next = file.resolveSibling("${file.fileName}.next")
    try {
        ZipOutputStream(Files.newOutputStream(next)).use { zip ->
            zip.setLevel(Deflater.BEST_COMPRESSION)
            for ((name, folder) in names.zip(folders)) {
                zip.putNextEntry(ZipEntry(name).apply { timeLocal = NO_TIME })
                val record = redactPaths(Json.parseToJsonElement(folder.readText()))
                zip.write(record.toString().encodeToByteArray())
                zip.closeEntry()
            }
        }
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING)
    } finally {
        Files.deleteIfExists(next)
    }
}

/**
 * Puts the records of [file] into folders of their own in [into], where former ones of the same names are replaced, and
 * gives them in the order of the file. Throws [UnreadableRecord] where it is not what [pack] makes; then nothing was
 * written.
 */
fun unpack(file: Path, into: Path): List<RecordFolder> {
    val aside = Files.createTempDirectory("threadgauge-unpacked-")
    try {
        val names = try {
            ZipFile(file.toFile()).use { zip -> takeOut(zip, file, aside) }
        } catch (broken: ZipException) {
            throw UnreadableRecord(RecordFault.NotPacked("$file", broken.message))
        }
        if (names.isEmpty()) throw UnreadableRecord(RecordFault.PackedNothing("$file"))
        // All of them must be records before any takes the place of another.
        names.forEach { RecordFolder(aside.resolve(it)).read() }
        return names.map { name ->
            val folder = into.resolve(name).createDirectories()
            val unpacked = aside.resolve(name).resolve(RECORD_FILE)
            Files.copy(unpacked, folder.resolve(RECORD_FILE), StandardCopyOption.REPLACE_EXISTING)
            RecordFolder(folder)
        }
    } finally {
        aside.toFile().deleteRecursively()
    }
}

/**
 * Anybody may have made the file, so it decides neither where anything is written nor how much. Gives the names of the
 * records.
 */
private fun takeOut(zip: ZipFile, file: Path, into: Path): List<String> {
    var left = LARGEST
    return zip.stream().toList().map { entry ->
        if (!NAME.matches(entry.name)) throw UnreadableRecord(RecordFault.PackedOther("$file", entry.name))
        val bytes = zip.getInputStream(entry).use { it.readNBytes(left + 1) }
        left -= bytes.size
        if (left < 0) throw UnreadableRecord(RecordFault.PackedTooLarge("$file", LARGEST / 1_000_000))
        val name = entry.name.substringBefore('/')
        Files.write(into.resolve(name).createDirectories().resolve(RECORD_FILE), bytes)
        name
    }
}

private val NAME = Regex("[A-Za-z0-9][A-Za-z0-9._-]{0,120}/record\\.json")
private const val LARGEST = 200_000_000

/** The first moment that the format knows. */
private val NO_TIME = LocalDateTime.of(1980, 1, 1, 0, 0)
