package threadgauge.server.database

import kotlin.system.exitProcess

/**
 * Starts a database and prints `ready jdbc=… r2dbc=… user=… password=…` or `ready redis=…` when it accepts queries. It
 * runs until this process ends. The arguments are in [DatabaseOptions].
 */
fun main(arguments: Array<String>) {
    val options = try {
        DatabaseOptions.read(arguments.toList())
    } catch (invalid: IllegalArgumentException) {
        System.err.println("database: ${invalid.message}")
        exitProcess(EXIT_USAGE)
    }
    val database = try {
        options.open()
    } catch (failure: Exception) {
        System.err.println("database: ${options.description} cannot be started: ${failure.message}")
        exitProcess(EXIT_UNAVAILABLE)
    }
    Runtime.getRuntime().addShutdownHook(Thread(database::close))
    database.settings.forEach { (name, value) -> println("$name: $value") }
    println(database.readyLine)
    exitProcess(database.awaitEnd())
}

private const val EXIT_USAGE = 64
private const val EXIT_UNAVAILABLE = 69
