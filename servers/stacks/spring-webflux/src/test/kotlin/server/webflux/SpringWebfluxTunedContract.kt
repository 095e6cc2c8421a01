package threadgauge.server.webflux

import threadgauge.contract.TunedContract

class SpringWebfluxTunedContract : TunedContract(MAIN, "spring-webflux", {
    it["threads for blocking calls"] == "64"
})
