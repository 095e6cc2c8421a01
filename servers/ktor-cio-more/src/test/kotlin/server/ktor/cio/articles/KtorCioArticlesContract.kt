package threadgauge.server.ktor.cio.articles

import threadgauge.contract.ArticlesContract

class KtorCioH2JdbcContract : ArticlesContract(MAIN, STACK, STACK, "h2")

class KtorCioH2NaiveContract : ArticlesContract(MAIN, STACK, STACK, "h2", "naive")

class KtorCioPostgresqlJdbcContract : ArticlesContract(MAIN, STACK, STACK, "postgresql")

class KtorCioPostgresqlR2dbcContract : ArticlesContract(MAIN, STACK, STACK, "postgresql", "r2dbc")

private const val STACK = "ktor-cio"
private const val MAIN = "threadgauge.server.ktor.cio.MainKt"
