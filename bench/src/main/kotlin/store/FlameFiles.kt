package threadgauge.store

import java.io.IOException
import java.nio.file.Files
import java.nio.file.LinkOption.NOFOLLOW_LINKS
import java.nio.file.Path
import java.nio.file.StandardCopyOption.ATOMIC_MOVE
import java.nio.file.StandardCopyOption.REPLACE_EXISTING
import java.util.zip.GZIPInputStream
import java.util.zip.GZIPOutputStream
import kotlin.io.path.createDirectories
import kotlin.io.path.inputStream
import kotlin.io.path.outputStream
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import threadgauge.model.Record
import threadgauge.model.judgement.cause.FlameLookup
import threadgauge.model.plan.PlannedTrial
import threadgauge.model.profile.Flames

/**
 * The call trees of [records] in the folders that these were read from. All are read now, so that what judges them
 * opens no file.
 */
fun storedFlames(records: List<Pair<Record, RecordFolder>>): FlameLookup {
    val all = records.map { (record, folder) -> record to folder.flames.of(record) }
    return FlameLookup { record, file -> all.firstOrNull { it.first === record }?.second?.get(file) }
}

/**
 * The call trees of profiles, in compressed files of their own below `flames/` in [folder]. A record is whole without
 * them: where one is missing, as in a packed record, or cannot be read, reports are made of the profile alone.
 */
class FlameFiles internal constructor(private val folder: RecordFolder) {
    /**
     * Writes those of [situation] in the trial [planned], and returns the name of the file, relative to the folder.
     * Throws [RecordNotWritten].
     */
    fun write(planned: PlannedTrial, situation: String, flames: Flames): String {
        val name = nameOf(planned, situation)
        folder.writing { path ->
            val file = path.resolve(name)
            val next = path.resolve("$name.next")
            file.parent.createDirectories()
            GZIPOutputStream(next.outputStream()).bufferedWriter().use {
                it.write(JSON.encodeToString(Flames.serializer(), flames))
            }
            Files.move(next, file, REPLACE_EXISTING, ATOMIC_MOVE)
        }
        return name
    }

    /** The file of [situation] in the trial [planned], relative to the folder, whether it exists or not. */
    fun nameOf(planned: PlannedTrial, situation: String): String =
        "$FOLDER/${planned.stack}-${planned.number}-$situation.json.gz"

    /** All that can be read of those that [record] names, by their names. */
    fun of(record: Record): Map<String, Flames> = record.trials.flatMap { it.profiles }.mapNotNull { it.flames }
        .distinct().mapNotNull { name -> read(name)?.let { name to it } }.toMap()

    /** Copies all that are there into the folder of another record. Throws `IOException`. */
    fun copyTo(other: RecordFolder) {
        val source = folder.path.resolve(FOLDER)
        if (Files.isDirectory(source)) {
            source.toFile().copyRecursively(other.path.resolve(FOLDER).toFile(), overwrite = true)
        }
    }

    /** Anybody may have made the record, so no file is read outside of the folder, and none without end. */
    private fun read(name: String): Flames? = try {
        placeOf(name)?.let { file ->
            val bytes = GZIPInputStream(file.inputStream()).use { it.readNBytes(LARGEST + 1) }
            if (bytes.size > LARGEST) null else JSON.decodeFromString(Flames.serializer(), bytes.decodeToString())
        }
    } catch (_: IOException) {
        null
    } catch (_: SerializationException) {
        null
    } catch (_: IllegalArgumentException) {
        null
    } catch (_: StackOverflowError) {
        // Nested deeper than any stack of a thread.
        null
    }

    private fun placeOf(name: String): Path? {
        val home = folder.path.resolve(FOLDER)
        val file = folder.path.resolve(name).normalize()
        return file.takeIf { it.parent == home.normalize() && Files.isRegularFile(it, NOFOLLOW_LINKS) }
    }

    private companion object {
        const val FOLDER = "flames"

        /** Most bytes of one file when unpacked: a hundred times what profiles have. */
        const val LARGEST = 50_000_000
        val JSON = Json { ignoreUnknownKeys = true }
    }
}
