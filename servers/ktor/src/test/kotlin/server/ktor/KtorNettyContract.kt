package threadgauge.server.ktor

import threadgauge.contract.ProcessContract
import threadgauge.contract.ShippedStackContract

class KtorNettyContract : ShippedStackContract(MAIN, "ktor-netty")

class KtorNettyProcessContract : ProcessContract(MAIN, "ktor-netty")

private const val MAIN = "threadgauge.server.ktor.MainKt"
