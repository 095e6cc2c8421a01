package threadgauge.tickets.faults

import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardCopyOption
import kotlin.io.path.exists
import kotlin.io.path.getLastModifiedTime

/**
 * The classes of the service as a JVM has them once they are loaded, in a file beside its jar: with it a start takes about half of the
 * processor time, and whoever is killed all the time is back sooner. The file is made by a service that is started and ended for it, once
 * for each jar. JVM guide, "Class Data Sharing": one that does not fit is passed over.
 */
internal class ClassArchive(private val jar: Path) {
    private val file = jar.resolveSibling("tickets.classes")

    /** Of those that are there; empty where none are. */
    val option: List<String> get() = if (isThere()) listOf("-XX:SharedArchiveFile=$file") else emptyList()

    /** Has [run] start a service with an option, let it get ready, and end it in peace, unless the file is there. */
    fun make(run: (option: String) -> Unit) = synchronized(LOCK) {
        if (isThere()) return
        // Nobody finds half of it.
        val parts = Files.createTempFile(jar.parent, "tickets", ".part").also(Files::delete)
        run("-XX:ArchiveClassesAtExit=$parts")
        if (parts.exists()) Files.move(parts, file, StandardCopyOption.ATOMIC_MOVE)
    }

    private fun isThere() = file.exists() && file.getLastModifiedTime() > jar.getLastModifiedTime()

    private companion object {
        val LOCK = Any()
    }
}
