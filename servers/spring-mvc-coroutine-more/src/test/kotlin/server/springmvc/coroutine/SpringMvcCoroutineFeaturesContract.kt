package threadgauge.server.springmvc.coroutine

import threadgauge.contract.FeaturesTogetherContract

private const val NAME = "spring-mvc-coroutine"

class SpringMvcCoroutineFeaturesContract : FeaturesTogetherContract("threadgauge.server.springmvc.coroutine.MainKt", NAME, NAME, "http2")
