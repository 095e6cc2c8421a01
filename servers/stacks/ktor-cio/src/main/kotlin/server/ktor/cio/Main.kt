package threadgauge.server.ktor.cio

import io.ktor.server.cio.EngineMain

/** Ktor as its project generator sets it up where CIO is chosen as the engine. */
fun main(arguments: Array<String>) = EngineMain.main(arguments)
