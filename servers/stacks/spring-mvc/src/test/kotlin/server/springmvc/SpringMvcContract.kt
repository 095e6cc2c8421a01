package threadgauge.server.springmvc

import threadgauge.contract.testkit.ShippedStackContract

class SpringMvcContract : ShippedStackContract(MAIN, "spring-mvc") {
    override val answersUnread get() = true
}

class SpringMvcVirtualContract : ShippedStackContract(MAIN, "spring-mvc-virtual") {
    override val answersUnread get() = true
}

internal const val MAIN = "threadgauge.server.springmvc.MainKt"
