package threadgauge.store

import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardCopyOption.ATOMIC_MOVE
import java.nio.file.StandardCopyOption.REPLACE_EXISTING
import kotlin.io.path.createDirectories
import kotlin.io.path.isDirectory
import kotlin.io.path.readBytes
import kotlin.io.path.writeText
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import threadgauge.model.PlannedTrial
import threadgauge.model.Record
import threadgauge.model.TextEncoding
import threadgauge.model.failure.Failed
import threadgauge.model.failure.Failure
import threadgauge.model.failure.RecordFault
import threadgauge.model.utf8Text

/**
 * A record on disk: `record.json`, `latency/` with histograms, `logs/` of every process. Rewritten after each sample,
 * by way of a second file, so that a crash or a full disk leaves the last good one.
 *
 * One writer at a time: the run's thread.
 */
class RecordFolder(val path: Path) {
    val logs: Path = path.resolve("logs")
    val latency: Path = path.resolve("latency")

    fun logOf(planned: PlannedTrial): Path = logs.resolve("${planned.stack}-${planned.number}.log")

    /** Histograms of one sample, relative to [path]. */
    fun hlogOf(planned: PlannedTrial, situation: String): String =
        "latency/${planned.stack}-${planned.number}-$situation.hlog"

    fun create(): RecordFolder = apply {
        writing {
            logs.createDirectories()
            latency.createDirectories()
        }
    }

    /** Throws [RecordNotWritten], and then the last good record is still there. */
    fun write(record: Record) = writing {
        val next = it.resolve("$RECORD_FILE.next")
        next.writeText(json.encodeToString(Record.serializer(), record) + "\n")
        Files.move(next, it.resolve(RECORD_FILE), REPLACE_EXISTING, ATOMIC_MOVE)
    }

    /** Lets [block] write into the folder; a failure is then told from one of the network or of a process. */
    fun writing(block: (Path) -> Unit) = try {
        block(path)
    } catch (denied: IOException) {
        throw RecordNotWritten(path, denied)
    }

    /** Throws [UnreadableRecord] where there is no record. */
    fun mustExist() {
        if (!Files.isRegularFile(path.resolve(RECORD_FILE))) throw UnreadableRecord(RecordFault.None("$path"))
    }

    /** Throws [UnreadableRecord] where there is no record, or none that this version understands. */
    fun read(): Record {
        mustExist()
        val file = path.resolve(RECORD_FILE)
        try {
            val tree = json.parseToJsonElement(readText())
            val schema = tree.jsonObject["schema"]?.jsonPrimitive?.int
                ?: throw UnreadableRecord(RecordFault.NoSchema("$file"))
            if (schema > Record.SCHEMA) {
                throw UnreadableRecord(RecordFault.NewerSchema("$file", schema, Record.SCHEMA))
            }
            return json.decodeFromJsonElement(Record.serializer(), tree)
        } catch (broken: SerializationException) {
            throw UnreadableRecord(RecordFault.Broken("$file", broken.message?.lineSequence()?.first()))
        } catch (broken: IllegalArgumentException) {
            throw UnreadableRecord(RecordFault.Broken("$file", broken.message?.lineSequence()?.first()))
        }
    }

    /** The text of the record, also where an editor put a byte-order mark before it. */
    internal fun readText(): String {
        val file = path.resolve(RECORD_FILE)
        val bytes = file.readBytes()
        val encoding = TextEncoding.otherThanUtf8(bytes)
        val text = if (encoding == null) utf8Text(bytes) else null
        return text ?: throw UnreadableRecord(RecordFault.NotUtf8("$file", encoding))
    }

    companion object {
        /** Accepts the folder of a record, or the file in it. */
        fun of(path: Path): RecordFolder {
            val isFile = !path.isDirectory() && path.fileName.toString() == RECORD_FILE
            return RecordFolder(if (isFile) path.toAbsolutePath().parent else path)
        }
    }
}

/** A user's mistake about a record. */
class UnreadableRecord(fault: RecordFault) : Failed(Failure.Record(fault))

/** A full disk, a folder without permission: nothing that measuring again would mend. */
class RecordNotWritten(folder: Path, cause: IOException) :
    Failed(Failure.Record(RecordFault.NotWritten("$folder", cause.message)), cause)

/** In the folder of a run. */
internal const val RECORD_FILE = "record.json"

/** `encodeDefaults` because a record must not change its meaning when a default changes. */
private val json = Json {
    prettyPrint = true
    prettyPrintIndent = " "
    encodeDefaults = true
    explicitNulls = false
    ignoreUnknownKeys = true
}
