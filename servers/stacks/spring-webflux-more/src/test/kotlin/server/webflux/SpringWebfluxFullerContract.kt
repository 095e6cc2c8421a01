package threadgauge.server.webflux

import threadgauge.contract.testkit.ArticlesContract
import threadgauge.contract.testkit.FullerContract
import threadgauge.contract.HttpContract
import threadgauge.contract.testkit.process.ShippedStack
import threadgauge.contract.testkit.ShippedStackContract
import java.io.File

class SpringWebfluxFullerContract : FullerContract(MAIN, "spring-webflux", "spring-webflux")

class SpringWebfluxR2dbcContract : ArticlesContract(MAIN, "spring-webflux", "spring-webflux", "r2dbc")

class SpringWebfluxNaiveContract : ArticlesContract(MAIN, "spring-webflux", "spring-webflux", "naive")

/** The fuller edition starts and serves with nothing beside it too, also where it is told to ask by R2DBC. */
class SpringWebfluxAloneContract : ShippedStackContract(MAIN, alone, HttpContract.plainChecks) {
    override val largeHeaders get() = 431
}

private const val MAIN = "threadgauge.server.webflux.MainKt"
private val alone = ShippedStack.read("spring-webflux", File("../spring-webflux/stacks.yaml"), isMore = true, options = listOf("r2dbc"))
