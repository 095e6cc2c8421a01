package threadgauge.server.springmvc

import threadgauge.contract.HttpContract
import threadgauge.contract.ShippedStack
import threadgauge.contract.ShippedStackContract
import java.io.File

/** Wired at another time it is the same server. */
class SpringAotContract : ShippedStackContract(null, wired, HttpContract.plainChecks) {
    override val answersUnread get() = true
}

private val wired = ShippedStack.read("spring-mvc", File("../spring-mvc/stacks.yaml"), options = listOf("spring-aot"))
