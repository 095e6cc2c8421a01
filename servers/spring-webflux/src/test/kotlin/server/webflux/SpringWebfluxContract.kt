package threadgauge.server.webflux

import threadgauge.contract.ShippedStackContract

class SpringWebfluxContract : ShippedStackContract(MAIN, "spring-webflux")

private const val MAIN = "threadgauge.server.webflux.MainKt"
