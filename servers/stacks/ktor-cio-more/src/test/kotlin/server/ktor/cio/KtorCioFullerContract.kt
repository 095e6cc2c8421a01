package threadgauge.server.ktor.cio

import threadgauge.contract.testkit.ArticlesContract
import threadgauge.contract.testkit.FullerContract

class KtorCioFullerContract : FullerContract(MAIN, STACK, STACK) {
    override val hasStreams get() = true
}

class KtorCioR2dbcContract : ArticlesContract(MAIN, STACK, STACK, "r2dbc")

class KtorCioNaiveContract : ArticlesContract(MAIN, STACK, STACK, "naive")

private const val STACK = "ktor-cio"
private const val MAIN = "threadgauge.server.ktor.cio.MainKt"
