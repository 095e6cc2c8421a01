package threadgauge.experiment.target

import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import threadgauge.experiment.yaml.quoted

/**
 * Refuses a script that the system cannot start, and says why: the kernel's own words are "No such file" of a file that
 * is there. [program] is the file of [command], whose other files are looked for from [folder].
 */
internal fun refuseUnstartable(program: Path, command: List<String>, folder: Path) {
    if (!Files.isRegularFile(program) || !Files.isExecutable(program)) return
    val name = command.first()
    val head = headOf(program)
    when {
        head.startsWith("$BYTE_ORDER_MARK#!") -> throw wrongTarget(
            "the script ${quoted(name)} begins with a byte-order mark, so the system does not see its #!",
            "Save it as UTF-8 without one, or: sed -i '1s/^\\xEF\\xBB\\xBF//' $name",
        )
        head.startsWith("#!") -> refuseInterpreter(head.lineSequence().first().removePrefix("#!"), head, name)
        program.fileName.toString() in SHELLS -> refuseScriptOf(command, folder)
    }
}

private fun refuseInterpreter(line: String, head: String, name: String) {
    val interpreter = line.trim().substringBefore(' ').substringBefore('\t')
    if ("\r\n" in head.take(line.length + CRLF_END)) {
        throw windowsLines(name, "the system looks for a program named ${quoted("$interpreter\\r")}")
    }
    if (interpreter.startsWith('/') && !Files.exists(Path.of(interpreter))) {
        throw wrongTarget(
            "the script ${quoted(name)} is for $interpreter, which is not there",
            "Install it, or mend the first line of the script.",
        )
    }
}

/** What a shell is given to read: its first word that is no option. With `-c` that is no file. */
private fun refuseScriptOf(command: List<String>, folder: Path) {
    val options = command.drop(1).takeWhile { it.startsWith("-") }
    if (options.any { !it.startsWith("--") && 'c' in it }) return
    val name = command.getOrNull(options.size + 1) ?: return
    val script = runCatching { folder.resolve(name) }.getOrNull()?.takeIf { Files.isRegularFile(it) } ?: return
    if ("\r\n" in headOf(script)) {
        throw windowsLines(name, "a shell takes the carriage return for a part of each command")
    }
}

private fun windowsLines(name: String, why: String) = wrongTarget(
    "the script ${quoted(name)} has the line ends of Windows (CRLF): $why",
    "Save it with the line ends of Unix (LF), or: sed -i 's/\\r$//' $name",
)

/** As Latin-1, which every byte is; empty where the file cannot be read. */
private fun headOf(file: Path): String = try {
    Files.newInputStream(file).use { String(it.readNBytes(HEAD_BYTES), Charsets.ISO_8859_1) }
} catch (_: IOException) {
    ""
}

private const val HEAD_BYTES = 4_096
private const val CRLF_END = 4

/** In UTF-8, byte by byte. */
private const val BYTE_ORDER_MARK = "\u00EF\u00BB\u00BF"
private val SHELLS = setOf("sh", "bash", "dash", "ash", "ksh", "zsh")
