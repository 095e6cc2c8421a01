package threadgauge.server.webflux.coroutine

import threadgauge.contract.testkit.TunedContract

class SpringWebfluxCoroutineTunedContract :
    TunedContract("threadgauge.server.webflux.coroutine.MainKt", "spring-webflux-coroutine", {
        it["threads for blocking calls"] == "200"
    })
