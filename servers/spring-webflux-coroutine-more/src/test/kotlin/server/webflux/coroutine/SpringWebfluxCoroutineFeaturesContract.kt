package threadgauge.server.webflux.coroutine

import threadgauge.contract.FeaturesTogetherContract

private const val NAME = "spring-webflux-coroutine"

class SpringWebfluxCoroutineFeaturesContract : FeaturesTogetherContract("threadgauge.server.webflux.coroutine.MainKt", NAME, NAME, "http2")
