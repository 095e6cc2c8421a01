package threadgauge.server.springmvc

import java.io.File
import threadgauge.contract.HttpContract
import threadgauge.contract.testkit.ShippedStackContract
import threadgauge.contract.testkit.process.ShippedStack

/** The same server, packed as one jar. */
class OneJarContract : ShippedStackContract(null, oneJar, HttpContract.plainChecks) {
    override val answersUnread get() = true
}

private val oneJar = ShippedStack.read("spring-mvc", File("../spring-mvc/stacks.yaml"), options = listOf("one-jar"))
