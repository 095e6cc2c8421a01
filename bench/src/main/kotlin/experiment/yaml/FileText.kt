package threadgauge.experiment.yaml

import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import threadgauge.model.TextEncoding
import threadgauge.model.utf8Text

/**
 * Opens [file] as YAML text, or throws [ExperimentMistakes] when it cannot be one: missing, a folder, larger than
 * [LARGEST_BYTES], not UTF-8, or binary. The size is checked before the content.
 */
internal fun openText(file: Path): ParseContext {
    if (!Files.exists(file)) throw wholeFile(file, "there is no such file", nearbyFiles(file))
    if (!Files.isRegularFile(file)) throw wholeFile(file, "this is not a file to read", "Give the name of a YAML file.")
    val bytes = try {
        Files.newInputStream(file).use { it.readNBytes(LARGEST_BYTES + 1) }
    } catch (denied: IOException) {
        throw wholeFile(file, "this file cannot be read (${denied.javaClass.simpleName})", "Check the rights on it.")
    }
    if (bytes.size > LARGEST_BYTES) {
        throw wholeFile(file, "this file is larger than 1 MB", "That is no experiment; is it the right file?")
    }
    val encoding = TextEncoding.otherThanUtf8(bytes)
    if (encoding in WIDE) throw wholeFile(file, "this file is ${encoding!!.words}, not UTF-8", encoding.remedy)
    val text = utf8Text(bytes) ?: String(bytes, Charsets.UTF_8)
    val context = ParseContext(file.toString(), text, file.toAbsolutePath().parent)
    context.refuseJunk(encoding)
    return context
}

/**
 * Reports the first character that shows a file to be no text of a person: undecodable, for control, in an endless
 * line.
 */
private fun ParseContext.refuseJunk(encoding: TextEncoding?) {
    var line = 1
    var column = 0
    for (character in text.codePoints()) {
        column++
        if (character == '\n'.code || character == '\r'.code) {
            if (character == '\n'.code) line++
            column = 0
        } else if (character != '\t'.code && (isUnprintable(character) || character == REPLACEMENT)) {
            refuseCharacter(TextPosition(line, column), character, encoding)
        } else if (column > MAX_LINE_LENGTH) {
            val remedy = "That is no experiment; is it the right file?"
            wrong(TextPosition(line, 1), "this line is longer than $MAX_LINE_LENGTH characters", remedy)
            throwMistakes()
        }
    }
}

private fun ParseContext.refuseCharacter(place: TextPosition, character: Int, encoding: TextEncoding?) {
    val usual = "Save the file as UTF-8 text; type this line anew."
    when {
        character == REPLACEMENT && encoding != null ->
            wrong(place, "this is not UTF-8: the file looks like ${encoding.words}", encoding.remedy)
        character == REPLACEMENT -> wrong(place, "this is not plain text: bytes that are not UTF-8", usual)
        isExoticBlank(character) -> wrong(
            place, "this is not plain text: a ${characterName(character)}",
            "Take it out; most editors can show invisible characters.",
        )
        else -> wrong(place, "this is not plain text: ${characterName(character)}", usual)
    }
    throwMistakes()
}

internal fun wholeFile(file: Path, problem: String, remedy: String) =
    ExperimentMistakes(listOf(ExperimentMistake(file.toString(), 0, 0, "", problem, remedy)))

private fun nearbyFiles(file: Path): String {
    val folder = file.toAbsolutePath().parent
    val names = try {
        Files.newDirectoryStream(folder, "*.{yaml,yml}")
            .use { files -> files.map { it.fileName.toString() }.take(MAX_NAMES) }
    } catch (_: IOException) {
        return "There is no folder $folder either."
    }
    val nearest = nearestSpelling(file.fileName.toString(), names)
    return when {
        nearest != null -> "Did you mean ${file.resolveSibling(nearest)}?"
        names.isEmpty() -> "There are no YAML files in $folder."
        else -> "In $folder there are: ${names.sorted().joinToString(", ")}."
    }
}

private const val LARGEST_BYTES = 1_000_000

/** Long lines take the parser long, and real files have none. */
private const val MAX_LINE_LENGTH = 10_000
private const val REPLACEMENT = 0xFFFD
private const val MAX_NAMES = 30

/** Encodings of which no line can be shown as it is. */
private val WIDE = setOf(
    TextEncoding.UTF_16_LE, TextEncoding.UTF_16_BE, TextEncoding.UTF_32_LE, TextEncoding.UTF_32_BE,
)
