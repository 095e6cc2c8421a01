package threadgauge.server.springmvc.coroutine

import threadgauge.contract.ArticlesContract
import threadgauge.contract.FullerContract

class SpringMvcCoroutineFullerContract : FullerContract(MAIN, STACK, STACK)

class SpringMvcCoroutineR2dbcContract : ArticlesContract(MAIN, STACK, STACK, "r2dbc")

class SpringMvcCoroutineNaiveContract : ArticlesContract(MAIN, STACK, STACK, "naive")

private const val STACK = "spring-mvc-coroutine"
private const val MAIN = "threadgauge.server.springmvc.coroutine.MainKt"
