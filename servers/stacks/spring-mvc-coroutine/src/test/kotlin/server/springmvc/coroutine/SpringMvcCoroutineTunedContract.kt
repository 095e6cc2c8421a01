package threadgauge.server.springmvc.coroutine

import threadgauge.contract.TunedContract
import threadgauge.contract.TunedContract.Companion.show
import threadgauge.contract.TunedContract.Companion.tomcat

class SpringMvcCoroutineTunedContract : TunedContract("threadgauge.server.springmvc.coroutine.MainKt", "spring-mvc-coroutine", {
    it.show(tomcat + ("threads for blocking calls" to "200"))
})
