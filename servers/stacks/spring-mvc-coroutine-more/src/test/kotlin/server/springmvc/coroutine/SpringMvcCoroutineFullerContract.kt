package threadgauge.server.springmvc.coroutine

import threadgauge.contract.testkit.ArticlesContract
import threadgauge.contract.testkit.FullerContract

class SpringMvcCoroutineFullerContract : FullerContract(MAIN, STACK, STACK)

class SpringMvcCoroutineR2dbcContract : ArticlesContract(MAIN, STACK, STACK, "r2dbc")

class SpringMvcCoroutineNaiveContract : ArticlesContract(MAIN, STACK, STACK, "naive")

private const val STACK = "spring-mvc-coroutine"
private const val MAIN = "threadgauge.server.springmvc.coroutine.MainKt"
