package threadgauge.server.webflux

import threadgauge.contract.testkit.TunedContract

class SpringWebfluxTunedContract : TunedContract(MAIN, "spring-webflux", {
    it["threads for blocking calls"] == "64"
})
