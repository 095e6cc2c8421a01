package threadgauge.contract.testkit.process

import java.nio.file.Files

/**
 * The databases for tests of fuller editions. Each starts with the first test that needs it: once for all modules where
 * [SharedServices] exist, else once for the process of the tests. No test writes to them. Any thread may call this.
 */
internal object SharedDatabases {
    private val started = HashMap<String, Map<String, String>>()

    /** Endpoints of `h2` or `postgresql`, by the names in braces of `stacks.yaml`. */
    @Synchronized
    fun endpointsOf(name: String): Map<String, String> = started.getOrPut(name) {
        SharedServices.current?.let { shared ->
            return@getOrPut shared.endpointsOf(name) { service(name, "$it", shared.supervisor(it)) }
        }
        val folder = Files.createTempDirectory("threadgauge-$name-")
        val service = service(name, "$folder")
        service.start().also {
            Runtime.getRuntime().addShutdownHook(Thread { service.stop().also { folder.toFile().deleteRecursively() } })
        }
    }

    private fun service(name: String, folder: String, supervisor: List<String> = emptyList()) = ServiceProcess(
        "threadgauge.server.database.MainKt", listOf("--database=$name", "--folder=$folder"), supervisor,
    )
}
