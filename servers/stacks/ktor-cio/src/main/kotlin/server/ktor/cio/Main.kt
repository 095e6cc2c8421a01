package threadgauge.server.ktor.cio

import io.ktor.server.cio.EngineMain

/** Ktor as its project generator sets it up with the engine CIO. */
fun main(arguments: Array<String>) = EngineMain.main(arguments)
