package threadgauge.server.ktor.tomcat

import threadgauge.contract.testkit.ArticlesContract
import threadgauge.contract.testkit.FullerContract

class KtorTomcatFullerContract : FullerContract(MAIN, STACK, STACK) {
    override val hasStreams get() = true
}

class KtorTomcatR2dbcContract : ArticlesContract(MAIN, STACK, STACK, "r2dbc")

class KtorTomcatNaiveContract : ArticlesContract(MAIN, STACK, STACK, "naive")

private const val STACK = "ktor-tomcat"
private const val MAIN = "threadgauge.server.ktor.tomcat.MainKt"
