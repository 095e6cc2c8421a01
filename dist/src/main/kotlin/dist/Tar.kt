package threadgauge.dist

import java.io.OutputStream
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.FileTime
import java.time.Instant
import java.util.zip.GZIPOutputStream
import kotlin.io.path.extension
import org.apache.commons.compress.archivers.tar.TarArchiveEntry
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream
import org.apache.commons.compress.archivers.tar.TarConstants

/**
 * Writes [entries] as a tar that depends on nothing but their paths and contents: sorted, without owners, every time is
 * [stamp]. Equal jars are stored once, and later ones are hard links to the first.
 */
internal fun writeTar(out: OutputStream, entries: List<Entry>, stamp: Instant) {
    TarArchiveOutputStream(out, "UTF-8").use { tar ->
        tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX)
        tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX)
        val pathOf = HashMap<String, String>()
        for (entry in entries.sortedBy { it.path }) {
            when (entry) {
                is FileEntry -> {
                    val first = if (entry.file.extension == "jar") {
                        pathOf.putIfAbsent(sha256(entry.file), entry.path)
                    } else {
                        null
                    }
                    if (first == null) {
                        tar.file(entry, stamp)
                    } else {
                        tar.link(entry.path, TarConstants.LF_LINK, first, stamp)
                    }
                }
                is TextEntry -> {
                    val bytes = entry.text.toByteArray()
                    tar.putArchiveEntry(header(entry.path, bytes.size.toLong(), entry.isExecutable, stamp))
                    tar.write(bytes)
                    tar.closeArchiveEntry()
                }
                is LinkEntry -> tar.link(entry.path, TarConstants.LF_SYMLINK, entry.target, stamp)
                is FolderEntry -> {
                    val header = TarArchiveEntry("${entry.path}/").at(stamp)
                    header.mode = FOLDER or entry.mode
                    header.setUserId(entry.user)
                    header.setGroupId(entry.user)
                    tar.putArchiveEntry(header)
                    tar.closeArchiveEntry()
                }
            }
        }
    }
}

/** As [writeTar], compressed. The header of the result holds no time and no name. */
internal fun writeTarGz(file: Path, entries: List<Entry>, stamp: Instant) {
    Files.newOutputStream(file).buffered(BUFFER_BYTES).use { out ->
        writeTar(GZIPOutputStream(out, BUFFER_BYTES), entries, stamp)
    }
}

private fun TarArchiveOutputStream.file(entry: FileEntry, stamp: Instant) {
    putArchiveEntry(header(entry.path, Files.size(entry.file), entry.isExecutable, stamp))
    Files.copy(entry.file, this)
    closeArchiveEntry()
}

private fun TarArchiveOutputStream.link(path: String, kind: Byte, target: String, stamp: Instant) {
    putArchiveEntry(TarArchiveEntry(path, kind).at(stamp).apply { linkName = target })
    closeArchiveEntry()
}

private fun header(path: String, size: Long, isExecutable: Boolean, stamp: Instant) = TarArchiveEntry(path).at(stamp)
    .apply {
        this.size = size
        mode = if (isExecutable) EXECUTABLE else PLAIN
    }

private fun TarArchiveEntry.at(stamp: Instant) = apply {
    lastModifiedTime = FileTime.from(stamp)
    setIds(0, 0)
    setNames("", "")
}

/** Types and permissions, as `stat` has them: a regular file that its owner writes and all read. */
private const val FOLDER = 0x4000
internal const val PLAIN = 0x81A4
internal const val EXECUTABLE = 0x81ED
private const val BUFFER_BYTES = 1 shl 16
