package threadgauge.server.webflux.coroutine

import threadgauge.contract.testkit.ArticlesContract
import threadgauge.contract.testkit.FullerContract

class SpringWebfluxCoroutineFullerContract : FullerContract(MAIN, STACK, STACK)

class SpringWebfluxCoroutineR2dbcContract : ArticlesContract(MAIN, STACK, STACK, "r2dbc")

class SpringWebfluxCoroutineNaiveContract : ArticlesContract(MAIN, STACK, STACK, "naive")

private const val STACK = "spring-webflux-coroutine"
private const val MAIN = "threadgauge.server.webflux.coroutine.MainKt"
