package threadgauge.experiment.yaml

import java.io.IOException
import java.nio.ByteBuffer
import java.nio.charset.CharacterCodingException
import java.nio.charset.CodingErrorAction
import java.nio.file.Files
import java.nio.file.Path

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
    val context = ParseContext(file.toString(), decode(bytes), file.toAbsolutePath().parent)
    context.refuseJunk()
    return context
}

private fun decode(bytes: ByteArray): String {
    val strict = Charsets.UTF_8.newDecoder()
        .onMalformedInput(CodingErrorAction.REPORT).onUnmappableCharacter(CodingErrorAction.REPORT)
    return try {
        strict.decode(ByteBuffer.wrap(bytes)).toString().removePrefix(BYTE_ORDER_MARK)
    } catch (_: CharacterCodingException) {
        String(bytes, Charsets.UTF_8)
    }
}

/** Reports the first sign that a file is not text: an undecodable byte, a control character, or an endless line. */
private fun ParseContext.refuseJunk() {
    var line = 1
    var column = 0
    for (character in text.codePoints()) {
        column++
        if (character == '\n'.code || character == '\r'.code) {
            if (character == '\n'.code) line++
            column = 0
        } else if (character != '\t'.code && (isUnprintable(character) || character == REPLACEMENT)) {
            val name =
                if (character == REPLACEMENT) "bytes that are not UTF-8" else "character U+%04X".format(character)
            wrong(
                TextPosition(line, column),
                "this is not plain text: $name",
                "Save the file as UTF-8 text; type this line anew.",
            )
            throwMistakes()
        } else if (column > MAX_LINE_LENGTH) {
            val remedy = "That is no experiment; is it the right file?"
            wrong(TextPosition(line, 1), "this line is longer than $MAX_LINE_LENGTH characters", remedy)
            throwMistakes()
        }
    }
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
private const val BYTE_ORDER_MARK = "\uFEFF"
private const val REPLACEMENT = 0xFFFD
private const val MAX_NAMES = 30
