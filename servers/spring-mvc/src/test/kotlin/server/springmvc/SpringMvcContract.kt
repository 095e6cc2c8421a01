package threadgauge.server.springmvc

import threadgauge.contract.ShippedStackContract

class SpringMvcContract : ShippedStackContract(MAIN, "spring-mvc")

class SpringMvcVirtualContract : ShippedStackContract(MAIN, "spring-mvc-virtual")

private const val MAIN = "threadgauge.server.springmvc.MainKt"
