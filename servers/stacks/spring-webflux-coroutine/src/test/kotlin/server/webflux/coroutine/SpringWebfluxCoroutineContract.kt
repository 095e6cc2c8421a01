package threadgauge.server.webflux.coroutine

import threadgauge.contract.testkit.ShippedStackContract

class SpringWebfluxCoroutineContract :
    ShippedStackContract("threadgauge.server.webflux.coroutine.MainKt", "spring-webflux-coroutine") {
    override val largeHeaders get() = 431
}
