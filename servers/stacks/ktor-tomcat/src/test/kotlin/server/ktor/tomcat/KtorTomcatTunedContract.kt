package threadgauge.server.ktor.tomcat

import threadgauge.contract.testkit.TunedContract
import threadgauge.contract.testkit.TunedContract.Companion.show
import threadgauge.contract.testkit.TunedContract.Companion.tomcat

class KtorTomcatTunedContract : TunedContract("threadgauge.server.ktor.tomcat.MainKt", "ktor-tomcat", {
    it.show(tomcat + ("threads for handlers" to "200"))
})
