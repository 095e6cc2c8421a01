package threadgauge.dist

import java.nio.file.Path

/** One file of an archive. [path] has slashes, and is relative to the archive's root. */
internal sealed interface Entry {
    val path: String
}

/** A copy of [file]. */
internal class FileEntry(
    override val path: String,
    val file: Path,
    val isExecutable: Boolean = false,
) : Entry

/** A file that holds [text]. */
internal class TextEntry(override val path: String, val text: String, val isExecutable: Boolean = false) : Entry

/** A symbolic link to [target]. */
internal class LinkEntry(override val path: String, val target: String) : Entry

/** A folder with permissions of its own. Folders that only hold files need no entry. */
internal class FolderEntry(override val path: String, val mode: Int, val user: Long = 0) : Entry

/** The same entries below the folder [top]. */
internal fun List<Entry>.below(top: String): List<Entry> = map {
    val path = "$top/${it.path}"
    when (it) {
        is FileEntry -> FileEntry(path, it.file, it.isExecutable)
        is TextEntry -> TextEntry(path, it.text, it.isExecutable)
        is LinkEntry -> LinkEntry(path, it.target)
        is FolderEntry -> FolderEntry(path, it.mode, it.user)
    }
}
