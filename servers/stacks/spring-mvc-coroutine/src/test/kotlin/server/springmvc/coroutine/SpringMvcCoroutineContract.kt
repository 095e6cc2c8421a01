package threadgauge.server.springmvc.coroutine

import threadgauge.contract.testkit.ShippedStackContract

class SpringMvcCoroutineContract :
    ShippedStackContract("threadgauge.server.springmvc.coroutine.MainKt", "spring-mvc-coroutine") {
    override val answersUnread get() = true
}
