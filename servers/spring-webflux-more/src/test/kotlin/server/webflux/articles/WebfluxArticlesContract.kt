package threadgauge.server.webflux.articles

import threadgauge.contract.ArticlesContract
import threadgauge.contract.HttpContract
import threadgauge.contract.ShippedStack
import threadgauge.contract.ShippedStackContract
import java.io.File

/** The fuller edition starts and serves without a database too, also where it is told to ask by R2DBC. */
class WebfluxWithoutDatabaseContract : ShippedStackContract(MAIN, withoutPlaces, HttpContract.plainChecks)

class WebfluxH2JdbcContract : ArticlesContract(MAIN, "spring-webflux", "spring-webflux", "h2")

class WebfluxH2R2dbcContract : ArticlesContract(MAIN, "spring-webflux", "spring-webflux", "h2", "r2dbc")

class WebfluxH2NaiveContract : ArticlesContract(MAIN, "spring-webflux", "spring-webflux", "h2", "naive")

class WebfluxPostgresqlJdbcContract : ArticlesContract(MAIN, "spring-webflux", "spring-webflux", "postgresql")

class WebfluxPostgresqlR2dbcContract : ArticlesContract(MAIN, "spring-webflux", "spring-webflux", "postgresql", "r2dbc")

private const val MAIN = "threadgauge.server.webflux.MainKt"
private val withoutPlaces =
    ShippedStack.read("spring-webflux", File("../spring-webflux/stacks.yaml"), isMore = true, options = listOf("r2dbc"))
