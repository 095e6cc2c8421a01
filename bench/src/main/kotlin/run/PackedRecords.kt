package threadgauge.run

import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.time.LocalDateTime
import java.util.zip.Deflater
import java.util.zip.ZipEntry
import java.util.zip.ZipException
import java.util.zip.ZipFile
import java.util.zip.ZipOutputStream
import kotlin.io.path.createDirectories
import kotlin.io.path.name
import kotlin.io.path.readText

/**
 * Records in one file, to be kept or sent: a ZIP with `<folder>/record.json` for each of [folders]. Reports are rebuilt from that alone, so
 * logs and histograms stay behind. Secrets are in no record. The same records give the same bytes. Throws [UnreadableRecord] where one of
 * them is none, and [IOException] where [file] cannot be written.
 */
fun pack(folders: List<RecordFolder>, file: Path) {
    folders.forEach { it.read() }
    ZipOutputStream(Files.newOutputStream(file)).use { zip ->
        zip.setLevel(Deflater.BEST_COMPRESSION)
        for (folder in folders) {
            zip.putNextEntry(ZipEntry("${folder.path.toAbsolutePath().normalize().name}/$RECORD").apply { timeLocal = NO_TIME })
            zip.write(folder.path.resolve(RECORD).readText().encodeToByteArray())
            zip.closeEntry()
        }
    }
}

/**
 * Puts the records of [file] into folders of their own in [into], where former ones of the same names are replaced, and gives them in the
 * order of the file. Throws [UnreadableRecord] where it is not what [pack] makes; then nothing was written.
 */
fun unpack(file: Path, into: Path): List<RecordFolder> {
    val records = try {
        ZipFile(file.toFile()).use { zip -> zip.stream().toList().associate { it.name to text(zip, it, file) } }
    } catch (broken: ZipException) {
        throw UnreadableRecord("$file is no packed record: ${broken.message}. `threadgauge report --pack` makes one.")
    }
    if (records.isEmpty()) throw UnreadableRecord("$file holds no record.")
    return records.map { (name, text) ->
        val folder = into.resolve(name.substringBefore('/')).createDirectories()
        Files.writeString(folder.resolve(RECORD), text)
        RecordFolder(folder)
    }
}

/** Anybody may have made the file, so it decides neither where anything is written nor how much memory is taken. */
private fun text(zip: ZipFile, entry: ZipEntry, file: Path): String {
    if (!NAME.matches(entry.name)) throw UnreadableRecord("$file holds ${entry.name}, which is not <run>/$RECORD.")
    val bytes = zip.getInputStream(entry).use { it.readNBytes(LARGEST + 1) }
    if (bytes.size > LARGEST) throw UnreadableRecord("${entry.name} in $file has more than ${LARGEST / 1_000_000} MB.")
    return bytes.decodeToString()
}

private const val RECORD = "record.json"
private val NAME = Regex("[A-Za-z0-9][A-Za-z0-9._-]{0,120}/record\\.json")
private const val LARGEST = 200_000_000

/** The first moment that the format knows. */
private val NO_TIME = LocalDateTime.of(1980, 1, 1, 0, 0)
