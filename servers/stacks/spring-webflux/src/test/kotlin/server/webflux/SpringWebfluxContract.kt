package threadgauge.server.webflux

import threadgauge.contract.testkit.ShippedStackContract

class SpringWebfluxContract : ShippedStackContract(MAIN, "spring-webflux") {
    override val largeHeaders get() = 431
}

internal const val MAIN = "threadgauge.server.webflux.MainKt"
