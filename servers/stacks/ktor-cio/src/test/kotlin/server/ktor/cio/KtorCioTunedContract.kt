package threadgauge.server.ktor.cio

import threadgauge.contract.testkit.TunedContract

class KtorCioTunedContract : TunedContract("threadgauge.server.ktor.cio.MainKt", "ktor-cio", {
    it["threads for handlers"] == "200"
})
