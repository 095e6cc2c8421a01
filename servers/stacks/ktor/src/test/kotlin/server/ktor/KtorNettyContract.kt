package threadgauge.server.ktor

import threadgauge.contract.testkit.ShippedStackContract

class KtorNettyContract : ShippedStackContract(MAIN, "ktor-netty")

internal const val MAIN = "threadgauge.server.ktor.MainKt"
