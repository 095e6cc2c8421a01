package threadgauge.server.springmvc.coroutine.articles

import threadgauge.contract.ArticlesContract

class SpringMvcCoroutineH2JdbcContract : ArticlesContract(MAIN, STACK, STACK, "h2")

class SpringMvcCoroutineH2NaiveContract : ArticlesContract(MAIN, STACK, STACK, "h2", "naive")

class SpringMvcCoroutinePostgresqlJdbcContract : ArticlesContract(MAIN, STACK, STACK, "postgresql")

private const val STACK = "spring-mvc-coroutine"
private const val MAIN = "threadgauge.server.springmvc.coroutine.MainKt"
