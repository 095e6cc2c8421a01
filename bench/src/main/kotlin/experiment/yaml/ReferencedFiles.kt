package threadgauge.experiment.yaml

import java.io.IOException
import java.nio.file.Files
import java.nio.file.InvalidPathException
import java.nio.file.Path
import threadgauge.experiment.request.Table
import threadgauge.model.TextEncoding
import threadgauge.model.utf8Text

/** Files that a file refers to, relative to its [folder]. Each table is read once. */
internal class ReferencedFiles(val folder: Path) {
    val tables = HashMap<String, Table?>()
}

/** The text of the file that [node] names, at most [most] bytes of UTF-8; null if a mistake was reported. */
internal fun ParseContext.referencedFile(node: YamlNode, what: String, example: String, most: Int): String? {
    val name = scalar(node, what, example) ?: return null
    val file = try {
        neighbours.folder.resolve(name)
    } catch (_: InvalidPathException) {
        return fail(node, "${quoted(name)} cannot be the name of a file", "Write $example.")
    }
    if (!Files.exists(file)) return fail(node, "there is no file ${quoted(name)}", whereItIs(file))
    if (!Files.isRegularFile(file)) return fail(node, "${quoted(name)} is not a file to read", "Write $example.")
    val bytes = try {
        Files.newInputStream(file).use { it.readNBytes(most + 1) }
    } catch (denied: IOException) {
        return fail(node, "${quoted(name)} cannot be read (${denied.javaClass.simpleName})", "Check the rights on it.")
    }
    if (bytes.size > most) {
        return fail(node, "${quoted(name)} is larger than ${most / 1_000_000} MB", "Take a part of it.")
    }
    val encoding = TextEncoding.otherThanUtf8(bytes)
    if (encoding != null) {
        return fail(node, "${quoted(name)} is not UTF-8: it looks like ${encoding.words}", encoding.remedy)
    }
    return utf8Text(bytes) ?: fail(node, "${quoted(name)} is not UTF-8", "Save it as UTF-8 text.")
}

private fun whereItIs(file: Path): String {
    val folder = file.toAbsolutePath().normalize().parent
    val names = try {
        Files.newDirectoryStream(folder).use { files -> files.map { it.fileName.toString() }.take(MAX_NAMES) }
    } catch (_: IOException) {
        return "There is no folder $folder either; files are looked for from the folder of this one."
    }
    val nearest = nearestSpelling(file.fileName.toString(), names)
    return if (nearest == null) {
        "It was looked for in $folder."
    } else {
        "Did you mean $nearest? It was looked for in $folder."
    }
}

private const val MAX_NAMES = 1_000
