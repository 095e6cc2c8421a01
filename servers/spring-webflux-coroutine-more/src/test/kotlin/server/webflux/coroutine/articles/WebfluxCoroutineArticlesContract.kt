package threadgauge.server.webflux.coroutine.articles

import threadgauge.contract.ArticlesContract

class WebfluxCoroutineH2JdbcContract : ArticlesContract(MAIN, STACK, STACK, "h2")

class WebfluxCoroutineH2NaiveContract : ArticlesContract(MAIN, STACK, STACK, "h2", "naive")

class WebfluxCoroutineH2R2dbcContract : ArticlesContract(MAIN, STACK, STACK, "h2", "r2dbc")

class WebfluxCoroutinePostgresqlJdbcContract : ArticlesContract(MAIN, STACK, STACK, "postgresql")

class WebfluxCoroutinePostgresqlR2dbcContract : ArticlesContract(MAIN, STACK, STACK, "postgresql", "r2dbc")

private const val STACK = "spring-webflux-coroutine"
private const val MAIN = "threadgauge.server.webflux.coroutine.MainKt"
