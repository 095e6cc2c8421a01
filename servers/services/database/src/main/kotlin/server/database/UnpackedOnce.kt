package threadgauge.server.database

import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardCopyOption

/**
 * The folder [name], filled by [unpack]. It lies in [shelf], beside this program, and is filled once for all later
 * starts, because unpacking takes longer than starting. If [shelf] cannot be written, it lies in [folder], for one
 * database alone. Nothing changes it later. Concurrent processes each fill a folder of their own, and the first renames
 * it.
 */
internal fun unpackedOnce(name: String, folder: Path, shelf: Path? = besideProgram(), unpack: (Path) -> Unit): Path {
    val shared = shelf?.resolve(name)
    if (shared != null && Files.isExecutable(shared)) return shared
    if (shared == null || Files.exists(shared) || !Files.isWritable(shelf)) return folder.resolve(name).also(unpack)
    val own = Files.createTempDirectory(shelf, "$name-")
    try {
        unpack(own)
        Files.move(own, shared, StandardCopyOption.ATOMIC_MOVE)
    } catch (failure: IOException) {
        own.toFile().deleteRecursively()
        // Another process may have renamed its folder first.
        if (!Files.isExecutable(shared)) throw failure
    }
    return shared
}

/**
 * The `target` folder of the build, in which everything can be made anew: this program lies in it, or in a folder `lib`
 * in it where another module starts it. Null where the program lies elsewhere.
 */
private fun besideProgram(): Path? = buildFolderOf(
    Path.of(Access::class.java.protectionDomain.codeSource.location.toURI()),
)

/** The build folder that [program], a jar, lies in; null where it lies in none. */
internal fun buildFolderOf(program: Path): Path? =
    generateSequence(program.parent) { it.parent }.take(2).firstOrNull { "${it.fileName}" == "target" }
