package threadgauge.server.quarkus

import threadgauge.contract.TunedContract

class QuarkusTunedContract : TunedContract(null, "quarkus", {
    it["threads for blocking calls"] == "1000"
})
