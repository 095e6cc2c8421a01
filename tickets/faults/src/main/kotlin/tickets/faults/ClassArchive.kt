package threadgauge.tickets.faults

import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardCopyOption
import kotlin.io.path.exists
import kotlin.io.path.getLastModifiedTime

/**
 * A class data sharing archive of the service, beside its jar. A start with it takes about half of the CPU time, so a
 * service that is killed often is back sooner. A service that is started and ended for this purpose creates it, once
 * per jar. The JVM ignores an archive that does not fit (JVM guide, "Class Data Sharing").
 */
internal class ClassArchive(private val jar: Path) {
    private val file = jar.resolveSibling("tickets.classes")

    /** The JVM option that uses the archive; empty if there is none. */
    val option: List<String> get() = if (isCurrent()) listOf("-XX:SharedArchiveFile=$file") else emptyList()

    /** Creates the archive if it is missing. [run] must start a service with the option, await it, and end it. */
    fun make(run: (option: String) -> Unit) = synchronized(LOCK) {
        if (isCurrent()) return
        // Written to a temporary file first, so that no service reads half of it.
        val part = Files.createTempFile(jar.parent, "tickets", ".part").also(Files::delete)
        run("-XX:ArchiveClassesAtExit=$part")
        if (part.exists()) Files.move(part, file, StandardCopyOption.ATOMIC_MOVE)
    }

    private fun isCurrent() = file.exists() && file.getLastModifiedTime() > jar.getLastModifiedTime()

    private companion object {
        val LOCK = Any()
    }
}
