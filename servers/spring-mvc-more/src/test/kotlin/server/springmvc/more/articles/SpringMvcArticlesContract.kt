package threadgauge.server.springmvc.more.articles

import threadgauge.contract.ArticlesContract
import threadgauge.contract.HttpContract
import threadgauge.contract.ShippedStack
import threadgauge.contract.ShippedStackContract
import java.io.File

/** The fuller edition starts and serves without a database too. */
class SpringMvcWithoutDatabaseContract : ShippedStackContract(MAIN, withoutPlaces, HttpContract.plainChecks)

class SpringMvcH2Contract : ArticlesContract(MAIN, "spring-mvc", "spring-mvc", "h2")

class SpringMvcVirtualH2Contract : ArticlesContract(MAIN, "spring-mvc", "spring-mvc-virtual", "h2")

class SpringMvcPostgresqlContract : ArticlesContract(MAIN, "spring-mvc", "spring-mvc", "postgresql")

class SpringMvcVirtualPostgresqlContract : ArticlesContract(MAIN, "spring-mvc", "spring-mvc-virtual", "postgresql")

private const val MAIN = "threadgauge.server.springmvc.MainKt"
private val withoutPlaces = ShippedStack.read("spring-mvc", File("../spring-mvc/stacks.yaml"), isMore = true)
