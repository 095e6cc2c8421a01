package threadgauge.server.springmvc

import threadgauge.contract.testkit.FullerContract

class SpringMvcFullerContract : FullerContract(MAIN, "spring-mvc", "spring-mvc")

class SpringMvcVirtualFullerContract : FullerContract(MAIN, "spring-mvc", "spring-mvc-virtual")

private const val MAIN = "threadgauge.server.springmvc.MainKt"
