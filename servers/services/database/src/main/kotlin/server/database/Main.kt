package threadgauge.server.database

import kotlin.system.exitProcess

/**
 * Makes a database, with the articles unless it is for something else, says `ready jdbc=… r2dbc=… user=… password=…` or `ready redis=…`
 * when it can be asked, and keeps it until it is ended. What can be asked for stands in [Order].
 */
fun main(arguments: Array<String>) {
    val order = try {
        Order.read(arguments.toList())
    } catch (wrong: IllegalArgumentException) {
        System.err.println("database: ${wrong.message}")
        exitProcess(EXIT_USAGE)
    }
    val database = try {
        order.open()
    } catch (failure: Exception) {
        System.err.println("database: ${order.words} cannot be had: ${failure.message}")
        exitProcess(EXIT_UNAVAILABLE)
    }
    Runtime.getRuntime().addShutdownHook(Thread(database::close))
    database.settings.forEach { (name, value) -> println("$name: $value") }
    println(database.readyLine)
    exitProcess(database.awaitEnd())
}

private const val EXIT_USAGE = 64
private const val EXIT_UNAVAILABLE = 69
