package threadgauge.server.vertx

import threadgauge.contract.testkit.TunedContract

class VertxTunedContract : TunedContract("threadgauge.server.vertx.MainKt", "vertx", {
    it["event loops"] == it["event loops to be had"]
})
