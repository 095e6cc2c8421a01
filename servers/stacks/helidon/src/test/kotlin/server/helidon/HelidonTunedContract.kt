package threadgauge.server.helidon

import threadgauge.contract.testkit.TunedContract

class HelidonTunedContract : TunedContract("threadgauge.server.helidon.MainKt", "helidon", {
    it["accept queue"] == "4096" && it["log listener for each request"] == "false"
})
