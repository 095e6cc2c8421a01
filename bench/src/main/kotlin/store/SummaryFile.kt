package threadgauge.store

import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardCopyOption.ATOMIC_MOVE
import java.nio.file.StandardCopyOption.REPLACE_EXISTING
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.writeText
import kotlinx.serialization.Serializable
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import threadgauge.model.RunSummary

/** The summary beside the record in [folder]. It can be deleted at any time, and is then made from the record again. */
class SummaryFile(private val folder: RecordFolder) {
    private val file = folder.path.resolve("summary.json")
    private val record = folder.path.resolve(RECORD_FILE)

    /** Null where there is none, where the record has changed since, and where another version wrote it. */
    fun read(): RunSummary? = read { it }

    /**
     * The same without its situations, which are nine tenths of the text. A list of a thousand runs shows the figures
     * of a few.
     */
    fun readHead(): RunSummary? = read { text ->
        // Within a text of JSON the quotes would have backslashes, so this is a key.
        val at = text.indexOf(SITUATIONS)
        if (at < 0) text else text.substring(0, at) + SITUATIONS + "]}}"
    }

    private fun read(part: (String) -> String): RunSummary? = try {
        val kept = FORMAT.decodeFromString(Kept.serializer(), part(Files.readString(file)))
        val isOfRecord = kept.recordBytes == Files.size(record) &&
            Files.getLastModifiedTime(file) >= Files.getLastModifiedTime(record)
        kept.summary.takeIf { isOfRecord && it.schema == RunSummary.SCHEMA }
    } catch (_: IOException) {
        null
    } catch (_: SerializationException) {
        null
    }

    /** Keeps [summary] where the folder can be written to; elsewhere it is made again every time. */
    fun write(summary: RunSummary) {
        val next = file.resolveSibling("summary.json.next")
        try {
            next.writeText(FORMAT.encodeToString(Kept.serializer(), Kept(Files.size(record), summary)) + "\n")
            Files.move(next, file, REPLACE_EXISTING, ATOMIC_MOVE)
        } catch (_: IOException) {
            runCatching { Files.deleteIfExists(next) }
        }
    }

    @Serializable
    private class Kept(val recordBytes: Long, val summary: RunSummary)

    private companion object {
        /** Writes defaults too: the version of the format is one. */
        val FORMAT = Json {
            ignoreUnknownKeys = true
            encodeDefaults = true
        }
        const val SITUATIONS = ",\"situations\":["
    }
}

/** The folders in [place] that have a record, by name; [place] itself where it has one. */
fun recordFolders(place: Path): List<RecordFolder> {
    fun hasRecord(folder: Path) = Files.isRegularFile(folder.resolve(RECORD_FILE))
    return when {
        hasRecord(place) -> listOf(RecordFolder(place))
        place.isDirectory() -> place.listDirectoryEntries().filter(::hasRecord).sorted().map(::RecordFolder)
        else -> emptyList()
    }
}
