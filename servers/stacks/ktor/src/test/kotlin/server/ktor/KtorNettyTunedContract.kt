package threadgauge.server.ktor

import threadgauge.contract.testkit.TunedContract

class KtorNettyTunedContract : TunedContract(MAIN, "ktor-netty", {
    it["handlers run on the event loop that reads"] == "true"
})
