package threadgauge.contract

import java.nio.file.Files

/**
 * The databases that tests of fuller editions ask, each started once for the process of the tests, when the first of them asks for it,
 * and ended with it. Any thread may ask.
 */
internal object SharedDatabases {
    private val started = HashMap<String, Map<String, String>>()

    /** What `h2` or `postgresql` gave, by the names in braces of `stacks.yaml`. */
    @Synchronized
    fun placesOf(name: String): Map<String, String> = started.getOrPut(name) {
        val folder = Files.createTempDirectory("threadgauge-$name-")
        val service = ServiceProcess("threadgauge.server.database.MainKt", listOf("--database=$name", "--folder=$folder"))
        service.start().also {
            Runtime.getRuntime().addShutdownHook(Thread { service.stop().also { folder.toFile().deleteRecursively() } })
        }
    }
}
