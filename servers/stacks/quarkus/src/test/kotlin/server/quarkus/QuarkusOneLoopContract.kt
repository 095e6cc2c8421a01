package threadgauge.server.quarkus

import threadgauge.contract.testkit.TunedContract

class QuarkusOneLoopContract : TunedContract(null, "quarkus", "one-event-loop", { it["event loops"] == "1" })
