package threadgauge.server.springmvc

import threadgauge.contract.testkit.FullerContract

class SpringMvcFullerContract : FullerContract(MAIN, "spring-mvc", "spring-mvc") {
    override val hasStreams get() = true
}

class SpringMvcVirtualFullerContract : FullerContract(MAIN, "spring-mvc", "spring-mvc-virtual") {
    override val hasStreams get() = true
}

private const val MAIN = "threadgauge.server.springmvc.MainKt"
