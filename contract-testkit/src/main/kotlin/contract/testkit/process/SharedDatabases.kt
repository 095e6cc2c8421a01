package threadgauge.contract.testkit.process

import java.nio.file.Files

/**
 * The databases that tests of fuller editions ask. Each is started when the first test asks for it: once for all modules where a
 * [SuiteFolder] says that they share, else once for the process of the tests. Nobody writes to them. Any thread may ask.
 */
internal object SharedDatabases {
    private val started = HashMap<String, Map<String, String>>()

    /** What `h2` or `postgresql` gave, by the names in braces of `stacks.yaml`. */
    @Synchronized
    fun placesOf(name: String): Map<String, String> = started.getOrPut(name) {
        SuiteFolder.current?.let { shared -> return@getOrPut shared.placesOf(name) { service(name, "$it", shared.leash(it)) } }
        val folder = Files.createTempDirectory("threadgauge-$name-")
        val service = service(name, "$folder")
        service.start().also {
            Runtime.getRuntime().addShutdownHook(Thread { service.stop().also { folder.toFile().deleteRecursively() } })
        }
    }

    private fun service(name: String, folder: String, leash: List<String> = emptyList()) =
        ServiceProcess("threadgauge.server.database.MainKt", listOf("--database=$name", "--folder=$folder"), leash)
}
