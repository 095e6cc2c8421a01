package threadgauge.server.springmvc.coroutine

import threadgauge.contract.FeaturesTogetherContract

class SpringMvcCoroutineFeaturesContract : FeaturesTogetherContract("threadgauge.server.springmvc.coroutine.MainKt", "spring-mvc-coroutine", "spring-mvc-coroutine", "http2")
