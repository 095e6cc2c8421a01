package threadgauge.server.springmvc

import java.io.File
import threadgauge.contract.HttpContract
import threadgauge.contract.testkit.ShippedStackContract
import threadgauge.contract.testkit.process.ShippedStack

/** The same server, wired at build time. */
class SpringAotContract : ShippedStackContract(null, wired, HttpContract.plainChecks) {
    override val answersUnread get() = true
}

private val wired = ShippedStack.read("spring-mvc", File("../spring-mvc/stacks.yaml"), options = listOf("spring-aot"))
