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
 * Packs records into one ZIP file, to be kept or sent: `<folder>/record.json` for each of [folders]. Reports are
 * rebuilt from that alone, so logs and histograms are left out. Local paths and values of variables are removed, see
 * [redactPaths]; records hold no secrets. The same records give the same bytes.
 *
 * Throws [UnreadableRecord] if a record cannot be read, or if folders share a name or have one that a ZIP entry must
 * not have. Throws [IOException] if [file] cannot be written; an earlier [file] is then unchanged.
 */
fun pack(folders: List<RecordFolder>, file: Path) {
    folders.forEach { it.read() }
    val names = folders.map { "${it.path.toAbsolutePath().normalize().name}/$RECORD_FILE" }
    val odd = names.firstOrNull { !NAME.matches(it) }
    if (odd != null) throw UnreadableRecord(RecordFault.UnpackableName(odd))
    if (names.distinct().size < names.size) throw UnreadableRecord(RecordFault.SameName)
    val next = file.resolveSibling("${file.fileName}.next")
    var left = LARGEST.toLong()
    try {
        ZipOutputStream(Files.newOutputStream(next)).use { zip ->
            zip.setLevel(Deflater.BEST_COMPRESSION)
            for ((name, folder) in names.zip(folders)) {
                zip.putNextEntry(ZipEntry(name).apply { timeLocal = NO_TIME })
                val record = redactPaths(Json.parseToJsonElement(folder.readText()))
                val bytes = record.toString().encodeToByteArray()
                left -= bytes.size
                if (left < 0) throw UnreadableRecord(RecordFault.PackedTooLarge("$file", LARGEST / 1_000_000))
                zip.write(bytes)
                zip.closeEntry()
            }
        }
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING)
    } finally {
        Files.deleteIfExists(next)
    }
}

/**
 * Unpacks the records of [file] into folders of their own in [into] and returns them in the order of the file. Records
 * of the same names are replaced. Throws [UnreadableRecord] if [file] was not made by [pack]; then nothing was written.
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
        // All of them must be records before any replaces another.
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
 * Extracts [zip] to [into] and returns the names of the records. Anybody may have made the file, so every name is
 * checked against [NAME] and the size is limited to [LARGEST].
 */
private fun takeOut(zip: ZipFile, file: Path, into: Path): List<String> {
    var left = LARGEST
    val seen = HashSet<String>()
    return zip.stream().toList().map { entry ->
        if (!NAME.matches(entry.name)) throw UnreadableRecord(RecordFault.PackedOther("$file", entry.name))
        if (!seen.add(entry.name)) throw UnreadableRecord(RecordFault.SameName)
        val bytes = zip.getInputStream(entry).use { it.readNBytes(left + 1) }
        left -= bytes.size
        if (left < 0) throw UnreadableRecord(RecordFault.PackedTooLarge("$file", LARGEST / 1_000_000))
        val name = entry.name.substringBefore('/')
        Files.write(into.resolve(name).createDirectories().resolve(RECORD_FILE), bytes)
        name
    }
}

/** Name of an entry: a folder name without separators or a leading dot, then `record.json`. */
private val NAME = Regex("[A-Za-z0-9][A-Za-z0-9._-]{0,120}/record\\.json")

/** Most bytes that all records of one archive may have when unpacked. */
private const val LARGEST = 200_000_000

/** The earliest time that a ZIP entry can hold: the same for all, so that the same records give the same bytes. */
private val NO_TIME = LocalDateTime.of(1980, 1, 1, 0, 0)
