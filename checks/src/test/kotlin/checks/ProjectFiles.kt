package threadgauge.checks

import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.readBytes
import kotlin.io.path.relativeTo

/** The project's root: the nearest folder above the working directory that holds the launcher. */
internal val projectRoot: Path = generateSequence(Path.of("").toAbsolutePath()) { it.parent }
    .first { Files.isRegularFile(it.resolve("threadgauge")) }

/** A text file of the project; [path] is relative to the root, with slashes. */
internal class ProjectFile(val path: String, val text: String) {
    val lines: List<String> = text.lines()
    val extension = path.substringAfterLast('/').substringAfterLast('.', "")
    val isKotlin = extension == "kt"
    val isKotlinMain = isKotlin && "src/main/kotlin/" in path
    val isKotlinTest = isKotlin && "src/test/kotlin/" in path
}

/** Every text file that git tracks or would add; without git, every file outside of build folders. */
internal fun projectFiles(): List<ProjectFile> = (trackedByGit() ?: found())
    .filter { Files.isRegularFile(projectRoot.resolve(it)) }
    .map { it to projectRoot.resolve(it).readBytes() }
    .filter { (_, bytes) -> bytes.none { it == 0.toByte() } }
    .map { (path, bytes) -> ProjectFile(path, bytes.toString(Charsets.UTF_8)) }

private fun trackedByGit(): List<String>? {
    if (!Files.exists(projectRoot.resolve(".git"))) return null
    val command = listOf("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    val git = try {
        ProcessBuilder(command).directory(projectRoot.toFile()).redirectError(ProcessBuilder.Redirect.DISCARD).start()
    } catch (_: java.io.IOException) {
        return null
    }
    val names = git.inputStream.readBytes().toString(Charsets.UTF_8).split('\u0000').filter { it.isNotEmpty() }
    return names.takeIf { git.waitFor() == 0 }
}

private fun found(): List<String> = projectRoot.toFile().walkTopDown()
    .onEnter { it.name !in setOf("target", ".git", ".idea", "results") }
    .filter { it.isFile }.map { it.toPath().relativeTo(projectRoot).joinToString("/") }.toList()
