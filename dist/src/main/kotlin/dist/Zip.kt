package threadgauge.dist

import java.nio.file.Files
import java.nio.file.Path
import java.time.Instant
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream

/** Writes files and texts of [entries] as a zip, sorted, every time being [stamp] in UTC. */
internal fun writeZip(file: Path, entries: List<Entry>, stamp: Instant) {
    ZipArchiveOutputStream(file.toFile()).use { zip ->
        for (entry in entries.sortedBy { it.path }) {
            when (entry) {
                is FileEntry -> zip.put(entry.path, entry.isExecutable, stamp) { Files.copy(entry.file, zip) }
                is TextEntry -> zip.put(entry.path, entry.isExecutable, stamp) { zip.write(entry.text.toByteArray()) }
                is LinkEntry, is FolderEntry -> error("${entry.path} has no place in a zip")
            }
        }
    }
}

private fun ZipArchiveOutputStream.put(path: String, isExecutable: Boolean, stamp: Instant, write: () -> Unit) {
    val entry = ZipArchiveEntry(path)
    // In the time zone of the JVM, which is UTC here.
    entry.time = stamp.toEpochMilli()
    entry.unixMode = if (isExecutable) EXECUTABLE else PLAIN
    putArchiveEntry(entry)
    write()
    closeArchiveEntry()
}
