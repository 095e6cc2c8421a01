package threadgauge.server.ktor.more.articles

import threadgauge.contract.ArticlesContract
import threadgauge.contract.HttpContract
import threadgauge.contract.ShippedStack
import threadgauge.contract.ShippedStackContract
import java.io.File

/** The fuller edition starts and serves without a database too. */
class KtorWithoutDatabaseContract : ShippedStackContract(MAIN, withoutPlaces, HttpContract.plainChecks)

class KtorH2JdbcContract : ArticlesContract(MAIN, "ktor", "ktor-netty", "h2")

class KtorH2R2dbcContract : ArticlesContract(MAIN, "ktor", "ktor-netty", "h2", "r2dbc")

class KtorH2NaiveContract : ArticlesContract(MAIN, "ktor", "ktor-netty", "h2", "naive")

class KtorPostgresqlJdbcContract : ArticlesContract(MAIN, "ktor", "ktor-netty", "postgresql")

class KtorPostgresqlR2dbcContract : ArticlesContract(MAIN, "ktor", "ktor-netty", "postgresql", "r2dbc")

class KtorPostgresqlNaiveContract : ArticlesContract(MAIN, "ktor", "ktor-netty", "postgresql", "naive")

private const val MAIN = "threadgauge.server.ktor.MainKt"
private val withoutPlaces = ShippedStack.read("ktor-netty", File("../ktor/stacks.yaml"), isMore = true)
