package threadgauge.server.springmvc

import threadgauge.contract.testkit.TunedContract
import threadgauge.contract.testkit.TunedContract.Companion.show
import threadgauge.contract.testkit.TunedContract.Companion.tomcat

class SpringMvcTunedContract : TunedContract(MAIN, "spring-mvc", {
    it.show(tomcat + ("threads max" to "1000"))
})

class SpringMvcVirtualTunedContract : TunedContract(MAIN, "spring-mvc-virtual", {
    it.show(tomcat)
})
