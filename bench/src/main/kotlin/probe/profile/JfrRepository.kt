package threadgauge.probe.profile

import java.lang.management.ManagementFactory
import java.lang.management.RuntimeMXBean
import java.nio.file.Path
import javax.management.JMX
import javax.management.MBeanServerConnection
import javax.management.ObjectName

/**
 * Where the JVM behind [connection] keeps the files of its recordings: by default a folder in that for temporary files,
 * which stays there for good if the process is killed. Safe for any thread.
 */
internal class JfrRepository(private val connection: MBeanServerConnection) {
    private var before: Path? = null // guarded by this

    /** Moves it below [folder]. Throws what JMX throws, and leaves it where it is if the path cannot be passed on. */
    @Synchronized
    fun move(folder: Path) {
        if (CANNOT_BE_QUOTED.any { it in "$folder" }) return
        val usual = usual()
        configure("repositorypath=\"$folder\"")
        before = usual
    }

    /** Moves it back, if it was moved. */
    @Synchronized
    fun moveBack() {
        val usual = before ?: return
        before = null
        runCatching { configure("repositorypath=\"$usual\"") }
    }

    /** The folder that the repository is or would be in. */
    private fun usual(): Path {
        val path = configure().lineSequence().firstOrNull { it.startsWith(PATH) }?.removePrefix(PATH)?.trim()
        if (path != null && path.startsWith('/')) return Path.of(path).parent
        val runtime = JMX.newMXBeanProxy(connection, RUNTIME, RuntimeMXBean::class.java)
        return Path.of(runtime.systemProperties.getValue("java.io.tmpdir"))
    }

    private fun configure(vararg arguments: String) =
        connection.invoke(COMMANDS, "jfrConfigure", arrayOf(arguments), arrayOf("[Ljava.lang.String;")) as String

    private companion object {
        val RUNTIME = ObjectName(ManagementFactory.RUNTIME_MXBEAN_NAME)
        val COMMANDS = ObjectName("com.sun.management:type=DiagnosticCommand")
        const val PATH = "Repository path:"
        const val CANNOT_BE_QUOTED = "\"\\\n\r"
    }
}
