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
 * Services that all modules share while the whole suite runs. `./threadgauge test` names the [folder] and the process that [owner] is
 * the number of: Maven. Each module is tested by a process of its own, so files tell one what another has started.
 */
internal class SuiteFolder(private val folder: Path, private val owner: String) {
    /** What the service of this [name] gave when it was started, now or before, in the folder that [service] is called with. */
    fun placesOf(name: String, service: (Path) -> ServiceProcess): Map<String, String> =
        FileChannel.open(folder.resolve("lock"), CREATE, WRITE).use { channel ->
            channel.lock().use {
                val home = folder.resolve(name)
                val given = home.resolve("given")
                if (!given.exists()) {
                    home.toFile().deleteRecursively()
                    val own = home.createDirectory().resolve("own").createDirectory()
                    val places = service(own).start()
                    given.writeLines(places.map { (key, value) -> "$key=$value" })
                }
                given.readLines().associate { it.substringBefore('=') to it.substringAfter('=') }
            }
        }

    /** Ends a service when the owner has ended, looking once a second, and removes its folder. Ctrl-C ends the owner and so all. */
    fun leash(home: Path): List<String> = listOf("/bin/sh", "-c", LEASH, "leash", owner, "${home.parent}")

    companion object {
        /** Null where only some modules are tested by Maven itself, or by an IDE. */
        val current: SuiteFolder? = System.getenv("THREADGAUGE_SHARED")?.let(Path::of)?.takeIf(Files::isDirectory)?.let { folder ->
            System.getenv("THREADGAUGE_SHARED_UNTIL")?.let { SuiteFolder(folder, it) }
        }

        private val LEASH = """
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
