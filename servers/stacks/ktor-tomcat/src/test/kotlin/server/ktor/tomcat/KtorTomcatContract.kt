package threadgauge.server.ktor.tomcat

import threadgauge.contract.testkit.ShippedStackContract

class KtorTomcatContract : ShippedStackContract("threadgauge.server.ktor.tomcat.MainKt", "ktor-tomcat") {
    override val answersUnread get() = true
}
