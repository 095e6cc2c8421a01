package threadgauge.contract.testkit.process

import java.nio.channels.FileChannel
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardOpenOption.CREATE
import java.nio.file.StandardOpenOption.WRITE
import kotlin.io.path.createDirectory
import kotlin.io.path.exists
import kotlin.io.path.readLines
import kotlin.io.path.writeLines

/**
 * Services that all modules share while the whole suite runs. `./threadgauge test` sets the [folder], and [owner], the
 * process id of Maven. Each module is tested by a process of its own, so files in the folder hold what another process
 * has started.
 */
internal class SharedServices(private val folder: Path, private val owner: String) {
    /**
     * Endpoints of the service with this [name]. It is started unless a process has done so before; [service] gets the
     * folder that it may use.
     */
    fun endpointsOf(name: String, service: (Path) -> ServiceProcess): Map<String, String> =
        FileChannel.open(folder.resolve("lock"), CREATE, WRITE).use { channel ->
            channel.lock().use {
                val home = folder.resolve(name)
                val file = home.resolve("endpoints")
                if (!file.exists()) {
                    home.toFile().deleteRecursively()
                    val own = home.createDirectory().resolve("own").createDirectory()
                    val endpoints = service(own).start()
                    file.writeLines(endpoints.map { (key, value) -> "$key=$value" })
                }
                file.readLines().associate { it.substringBefore('=') to it.substringAfter('=') }
            }
        }

    /**
     * A shell that stops a service and removes its folder within a second after the owner has ended. It ignores Ctrl-C,
     * which ends the owner.
     */
    fun supervisor(home: Path): List<String> =
        listOf("/bin/sh", "-c", SUPERVISOR, "supervisor", owner, "${home.parent}")

    companion object {
        /** Null where Maven or an IDE tests only some modules. */
        val current: SharedServices? =
            System.getenv("THREADGAUGE_SHARED")?.let(Path::of)?.takeIf(Files::isDirectory)?.let { folder ->
                System.getenv("THREADGAUGE_SHARED_UNTIL")?.let { SharedServices(folder, it) }
            }

        private val SUPERVISOR = """
            trap '' INT HUP
            owner=${'$'}1 home=${'$'}2
            shift 2
            "${'$'}@" &
            service=${'$'}!
            while kill -0 "${'$'}owner" 2>/dev/null && kill -0 "${'$'}service" 2>/dev/null; do sleep 1; done
            kill "${'$'}service" 2>/dev/null
            wait "${'$'}service"
            rm -rf "${'$'}home"
        """.trimIndent()
    }
}
