package threadgauge.server.quarkus.more

import threadgauge.contract.testkit.FullerContract

class QuarkusFullerContract : FullerContract(null, FOLDER, "quarkus")

class QuarkusVirtualFullerContract : FullerContract(null, FOLDER, "quarkus-virtual")

private const val FOLDER = "quarkus"
