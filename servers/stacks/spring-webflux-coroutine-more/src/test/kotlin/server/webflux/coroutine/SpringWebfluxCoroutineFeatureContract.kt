package threadgauge.server.webflux.coroutine

import threadgauge.contract.testkit.FeatureContract

private const val NAME = "spring-webflux-coroutine"

class SpringWebfluxCoroutineFeatureContract : FeatureContract("threadgauge.server.webflux.coroutine.MainKt", NAME, NAME)
