package threadgauge.server.ktor.tomcat.articles

import threadgauge.contract.ArticlesContract

class KtorTomcatH2JdbcContract : ArticlesContract(MAIN, STACK, STACK, "h2")

class KtorTomcatH2NaiveContract : ArticlesContract(MAIN, STACK, STACK, "h2", "naive")

class KtorTomcatPostgresqlJdbcContract : ArticlesContract(MAIN, STACK, STACK, "postgresql")

class KtorTomcatPostgresqlR2dbcContract : ArticlesContract(MAIN, STACK, STACK, "postgresql", "r2dbc")

private const val STACK = "ktor-tomcat"
private const val MAIN = "threadgauge.server.ktor.tomcat.MainKt"
