package threadgauge.server.quarkus

import threadgauge.contract.testkit.TunedContract

class QuarkusTunedContract : TunedContract(null, "quarkus", {
    it["threads for blocking calls"] == "1000"
})
