package threadgauge.server.webflux

import threadgauge.contract.testkit.TunedContract

class SpringWebfluxOneLoopContract :
    TunedContract(MAIN, "spring-webflux", "one-event-loop", { it["event loops"] == "1" })
