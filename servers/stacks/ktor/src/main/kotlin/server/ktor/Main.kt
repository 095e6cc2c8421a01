package threadgauge.server.ktor

import io.ktor.server.netty.EngineMain

/** Ktor as its project generator sets it up: the engine's own main, which finds [module] in `application.conf`. */
fun main(arguments: Array<String>) = EngineMain.main(arguments)
