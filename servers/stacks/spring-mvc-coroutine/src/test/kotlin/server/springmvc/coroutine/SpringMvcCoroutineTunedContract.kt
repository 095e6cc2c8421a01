package threadgauge.server.springmvc.coroutine

import threadgauge.contract.testkit.TunedContract
import threadgauge.contract.testkit.TunedContract.Companion.show
import threadgauge.contract.testkit.TunedContract.Companion.tomcat

class SpringMvcCoroutineTunedContract :
    TunedContract("threadgauge.server.springmvc.coroutine.MainKt", "spring-mvc-coroutine", {
        it.show(tomcat + ("threads for blocking calls" to "200"))
    })
