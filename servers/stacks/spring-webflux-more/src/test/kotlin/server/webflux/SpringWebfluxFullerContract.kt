package threadgauge.server.webflux

import java.io.File
import threadgauge.contract.HttpContract
import threadgauge.contract.testkit.ArticlesContract
import threadgauge.contract.testkit.FullerContract
import threadgauge.contract.testkit.ShippedStackContract
import threadgauge.contract.testkit.process.ShippedStack

class SpringWebfluxFullerContract : FullerContract(MAIN, "spring-webflux", "spring-webflux") {
    override val hasStreams get() = true
}

class SpringWebfluxR2dbcContract : ArticlesContract(MAIN, "spring-webflux", "spring-webflux", "r2dbc")

class SpringWebfluxNaiveContract : ArticlesContract(MAIN, "spring-webflux", "spring-webflux", "naive")

/** The fuller edition also starts and serves without backend and database, even with the option for R2DBC. */
class SpringWebfluxAloneContract : ShippedStackContract(MAIN, alone, HttpContract.plainChecks) {
    override val largeHeaders get() = 431
}

private const val MAIN = "threadgauge.server.webflux.MainKt"
private val alone = ShippedStack.read(
    "spring-webflux", File("../spring-webflux/stacks.yaml"), isMore = true, options = listOf("r2dbc"),
)
