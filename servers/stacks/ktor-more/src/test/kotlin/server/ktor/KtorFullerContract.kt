package threadgauge.server.ktor

import threadgauge.contract.testkit.ArticlesContract
import threadgauge.contract.testkit.FullerContract

class KtorFullerContract : FullerContract(MAIN, "ktor", "ktor-netty") {
    override val hasStreams get() = true
}

class KtorR2dbcContract : ArticlesContract(MAIN, "ktor", "ktor-netty", "r2dbc")

class KtorNaiveContract : ArticlesContract(MAIN, "ktor", "ktor-netty", "naive")

private const val MAIN = "threadgauge.server.ktor.MainKt"
