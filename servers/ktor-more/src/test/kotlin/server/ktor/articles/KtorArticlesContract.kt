package threadgauge.server.ktor.articles

import threadgauge.contract.ArticlesContract

class KtorH2JdbcContract : ArticlesContract(MAIN, "ktor", "ktor-netty", "h2")

class KtorH2R2dbcContract : ArticlesContract(MAIN, "ktor", "ktor-netty", "h2", "r2dbc")

class KtorH2NaiveContract : ArticlesContract(MAIN, "ktor", "ktor-netty", "h2", "naive")

class KtorPostgresqlJdbcContract : ArticlesContract(MAIN, "ktor", "ktor-netty", "postgresql")

class KtorPostgresqlR2dbcContract : ArticlesContract(MAIN, "ktor", "ktor-netty", "postgresql", "r2dbc")

private const val MAIN = "threadgauge.server.ktor.MainKt"
