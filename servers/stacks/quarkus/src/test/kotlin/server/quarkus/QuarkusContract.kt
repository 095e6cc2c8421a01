package threadgauge.server.quarkus

import threadgauge.contract.testkit.ShippedStackContract

class QuarkusContract : ShippedStackContract("quarkus") {
    override val largeHeaders get() = 431
}

class QuarkusVirtualContract : ShippedStackContract("quarkus-virtual") {
    override val largeHeaders get() = 431
}
