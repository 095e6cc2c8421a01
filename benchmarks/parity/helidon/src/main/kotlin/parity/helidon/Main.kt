package threadgauge.parity.helidon

import io.helidon.webserver.WebServer

/** Helidon SE as its quickstart has it, without its metrics and its configuration file. */
fun main(arguments: Array<String>) {
    WebServer.builder()
        .port(arguments.single().toInt())
        .routing { it.get("/hello", { _, response -> response.send("hello") }) }
        .build()
        .start()
}
