package threadgauge.run.launch

import java.nio.file.Files
import java.nio.file.Path
import java.security.MessageDigest
import java.util.HexFormat
import java.util.jar.Attributes.Name.CLASS_PATH
import java.util.jar.JarFile
import threadgauge.model.Container
import threadgauge.model.Stack
import threadgauge.target.ContainerEngine
import threadgauge.target.NoContainer

/**
 * SHA-256, in hex, of the files that the command of [stack] names and of the jars in their `Class-Path`; null if it
 * names no file. Of a container it is the identity of its image. Equal fingerprints mean the same build, so results of
 * two runs may be combined.
 *
 * A jar counts by the names, sizes and CRCs of its entries. So a rebuild from the same sources changes nothing, and no
 * jar has to be read completely: 20 MB of libraries take some milliseconds.
 */
internal fun buildOf(stack: Stack): String? {
    stack.container?.let { return identityOf(it) }
    val folder = Path.of(stack.folder)
    val named = stack.command.mapNotNull { word -> runCatching { folder.resolve(word) }.getOrNull() }
        .filter(Files::isRegularFile)
    if (named.isEmpty()) return null
    val digest = MessageDigest.getInstance("SHA-256")
    (named + named.flatMap(::broughtAlong)).distinct().forEach { digest.addFile(it) }
    return HexFormat.of().formatHex(digest.digest())
}

/** The fingerprint of each of [stacks] that names files, by its name. */
internal fun buildsOf(stacks: List<Stack>): Map<String, String> =
    stacks.mapNotNull { stack -> buildOf(stack)?.let { stack.name to it } }.toMap()

/** Null where no engine has it: the start of the stack tells why. */
private fun identityOf(container: Container): String? = try {
    ContainerEngine.of(container).identity(container.image)
} catch (_: NoContainer) {
    null
}

/** The jars in the `Class-Path` of a jar's manifest; they are relative to it. Empty if [file] is no jar. */
private fun broughtAlong(file: Path): List<Path> {
    val names =
        runCatching { JarFile(file.toFile()).use { it.manifest?.mainAttributes?.getValue(CLASS_PATH) } }.getOrNull()
    return names.orEmpty().split(' ').filter { it.isNotBlank() }
        .mapNotNull { runCatching { file.resolveSibling(it) }.getOrNull() }.filter(Files::isRegularFile)
}

private fun MessageDigest.addFile(file: Path) {
    update(file.fileName.toString().toByteArray())
    entriesOf(file)?.let { entries -> return entries.forEach { update(it.toByteArray()) } }
    Files.newInputStream(file).use { input ->
        val buffer = ByteArray(BUFFER_BYTES)
        generateSequence { input.read(buffer).takeIf { it >= 0 } }.forEach { update(buffer, 0, it) }
    }
}

/** Null if [file] is no jar. */
private fun entriesOf(file: Path): List<String>? = runCatching {
    JarFile(file.toFile()).use { jar -> jar.stream().map { "${it.name} ${it.size} ${it.crc}\n" }.sorted().toList() }
}.getOrNull()

private const val BUFFER_BYTES = 1 shl 16
