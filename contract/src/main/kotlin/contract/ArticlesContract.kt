package threadgauge.contract

import java.io.File
import java.net.URI
import java.nio.file.Files

/**
 * [StackContract] for the articles of a stack of this repository, in its fuller edition with [options], behind a
 * [database] of `servers/database`, `h2` or `postgresql`. [main] is the fully qualified name of the class with `main`;
 * [stack] stands in the `stacks.yaml` of the plain edition's [folder].
 */
abstract class ArticlesContract private constructor(main: String, private val shipped: ShippedStack) :
    StackContract(shipped.name, shipped.model, emptyMap(), checks) {
    constructor(main: String, folder: String, stack: String, database: String, vararg options: String) :
        this(main, ShippedStack.read(stack, File("../$folder/stacks.yaml"), true, placesOf(database), options.toList()))

    private val server = ServerProcess(main, shipped)

    override fun start(): URI = server.start()

    /** With connections to the database in its pool. */
    override fun stop() = mustEndSoon(server)

    private companion object {
        val checks = HttpContract.checks.filter { it.endpoint in setOf("/hello", "/runtime", ARTICLES_PATH) }

        /** What each database gave. One of each kind serves all tests of a module; the process of the tests ends them. */
        private val started = HashMap<String, Map<String, String>>()

        @Synchronized
        fun placesOf(database: String): Map<String, String> = started.getOrPut(database) {
            val folder = Files.createTempDirectory("threadgauge-$database-")
            val service = ServiceProcess(DATABASE_MAIN, listOf("--database=$database", "--folder=$folder"))
            service.start().also {
                Runtime.getRuntime().addShutdownHook(Thread { service.stop().also { folder.toFile().deleteRecursively() } })
            }
        }

        const val DATABASE_MAIN = "threadgauge.server.database.MainKt"
    }
}
