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
import threadgauge.model.Record
import threadgauge.model.TextEncoding
import threadgauge.model.failure.Failed
import threadgauge.model.failure.Failure
import threadgauge.model.failure.RecordFault
import threadgauge.model.plan.PlannedTrial
import threadgauge.model.utf8Text

/**
 * A record on disk: `record.json`, `latency/` with histograms, `flames/` with call trees, `logs/` with the output of
 * every process. `record.json` is replaced after each sample by renaming a second file, so a crash or a full disk
 * leaves the last good version.
 *
 * One writer at a time: the run's thread.
 */
class RecordFolder(val path: Path) {
    val logs: Path = path.resolve("logs")
    val latency: Path = path.resolve("latency")

    /** Call trees of profiles. */
    val flames = FlameFiles(this)

    /** Files of a profile while it is made; there only for that time. */
    val profiling: Path = path.resolve("profiling")

    /** File that the process of a trial writes its output to. */
    fun logOf(planned: PlannedTrial): Path = logs.resolve("${planned.stack}-${planned.number}.log")

    /** File of one sample's histograms, relative to [path]. */
    fun hlogOf(planned: PlannedTrial, situation: String): String =
        "latency/${planned.stack}-${planned.number}-$situation.hlog"

    /** Creates the folders if they are missing. Throws [RecordNotWritten]. */
    fun create(): RecordFolder = apply {
        writing {
            logs.createDirectories()
            latency.createDirectories()
        }
    }

    /** Replaces `record.json`. Throws [RecordNotWritten]; the last good version is then still there. */
    fun write(record: Record) = writing {
        val next = it.resolve("$RECORD_FILE.next")
        next.writeText(json.encodeToString(Record.serializer(), record) + "\n")
        Files.move(next, it.resolve(RECORD_FILE), REPLACE_EXISTING, ATOMIC_MOVE)
    }

    /**
     * Lets [block] write into the folder. Turns an [IOException] into [RecordNotWritten], so that it is not taken for
     * one of the network or of a process.
     */
    fun writing(block: (Path) -> Unit) = try {
        block(path)
    } catch (denied: IOException) {
        throw RecordNotWritten(path, denied)
    }

    /** Whether a living process writes this record. Disturbs no writer. */
    fun isInUse(): Boolean = RecordLock.isHeld(path)

    /**
     * Whether the record begins like that of a run in progress. Looks at its first lines only; false where those do not
     * show it.
     */
    fun beginsAsRunning(): Boolean = try {
        val head = Files.newInputStream(path.resolve(RECORD_FILE)).use { it.readNBytes(HEAD_BYTES) }.decodeToString()
        // Within a text of JSON the quotes would have backslashes, so this is a key.
        STATE_RUNNING.containsMatchIn(head.substringBefore("\"plan\":"))
    } catch (_: IOException) {
        false
    }

    /** Throws [UnreadableRecord] if there is no record. */
    fun mustExist() {
        if (!Files.isRegularFile(path.resolve(RECORD_FILE))) throw UnreadableRecord(RecordFault.None("$path"))
    }

    /** Throws [UnreadableRecord] if there is no record, or none that this version can read. */
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
        } catch (denied: IOException) {
            throw UnreadableRecord(RecordFault.Broken("$file", denied.message))
        } catch (broken: SerializationException) {
            throw UnreadableRecord(RecordFault.Broken("$file", broken.message?.lineSequence()?.first()))
        } catch (broken: IllegalArgumentException) {
            throw UnreadableRecord(RecordFault.Broken("$file", broken.message?.lineSequence()?.first()))
        }
    }

    /**
     * The text of the record, without a byte-order mark that an editor may have added. Throws [UnreadableRecord] if it
     * is not UTF-8.
     */
    internal fun readText(): String {
        val file = path.resolve(RECORD_FILE)
        val bytes = file.readBytes()
        val encoding = TextEncoding.otherThanUtf8(bytes)
        val text = if (encoding == null) utf8Text(bytes) else null
        return text ?: throw UnreadableRecord(RecordFault.NotUtf8("$file", encoding))
    }

    companion object {
        /** Accepts the folder of a record, or the `record.json` in it. */
        fun of(path: Path): RecordFolder {
            val isFile = !path.isDirectory() && path.fileName.toString() == RECORD_FILE
            return RecordFolder(if (isFile) path.toAbsolutePath().parent else path)
        }
    }
}

/** A record that cannot be used: a mistake of the user. */
class UnreadableRecord(fault: RecordFault) : Failed(Failure.Record(fault))

/**
 * The record could not be written, for instance on a full disk or without permission. Measuring again would not help.
 */
class RecordNotWritten(folder: Path, cause: IOException) :
    Failed(Failure.Record(RecordFault.NotWritten("$folder", cause.message)), cause)

/** What is before the plan of a record takes fewer. */
private const val HEAD_BYTES = 2_000

private val STATE_RUNNING = Regex("""(?<!\\)"state"\s*:\s*"RUNNING"""")

/** Name of the record in the folder of a run. */
internal const val RECORD_FILE = "record.json"

/** Writes defaults too: a record must not change its meaning when a default changes. */
private val json = Json {
    prettyPrint = true
    prettyPrintIndent = " "
    encodeDefaults = true
    explicitNulls = false
    ignoreUnknownKeys = true
}
