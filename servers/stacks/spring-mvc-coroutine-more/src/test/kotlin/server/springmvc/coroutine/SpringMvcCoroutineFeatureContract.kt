package threadgauge.server.springmvc.coroutine

import threadgauge.contract.testkit.FeatureContract

private const val NAME = "spring-mvc-coroutine"

class SpringMvcCoroutineFeatureContract : FeatureContract("threadgauge.server.springmvc.coroutine.MainKt", NAME, NAME)
