package threadgauge.server.webflux.coroutine

import threadgauge.contract.FeaturesTogetherContract

class SpringWebfluxCoroutineFeaturesContract : FeaturesTogetherContract("threadgauge.server.webflux.coroutine.MainKt", "spring-webflux-coroutine", "spring-webflux-coroutine", "http2")
