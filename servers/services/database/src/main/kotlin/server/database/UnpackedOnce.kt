package threadgauge.server.database

import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardCopyOption

/**
 * The folder [name], filled by [unpack]: beside this program and once for all databases that it will ever start, because unpacking takes
 * longer than starting; or in [folder], for one database alone, where nothing may be written beside the program. Nobody writes to it
 * later. Processes may ask at the same time: each fills a folder of its own, and the first gives it the name.
 */
internal fun unpackedOnce(name: String, folder: Path, shelf: Path? = besideProgram(), unpack: (Path) -> Unit): Path {
    val place = shelf?.resolve(name)
    if (place != null && Files.isExecutable(place)) return place
    if (place == null || Files.exists(place) || !Files.isWritable(shelf)) return folder.resolve(name).also(unpack)
    val own = Files.createTempDirectory(shelf, "$name-")
    try {
        unpack(own)
        Files.move(own, place, StandardCopyOption.ATOMIC_MOVE)
    } catch (failure: IOException) {
        own.toFile().deleteRecursively()
        // Or another was quicker.
        if (!Files.isExecutable(place)) throw failure
    }
    return place
}

/** The build's folder, in which everything may be made anew; null where this program stands elsewhere. */
private fun besideProgram(): Path? =
    Path.of(Access::class.java.protectionDomain.codeSource.location.toURI()).parent.takeIf { it.fileName.toString() == "target" }
