package threadgauge.server.vertx

import threadgauge.contract.testkit.ShippedStackContract

class VertxContract : ShippedStackContract("threadgauge.server.vertx.MainKt", "vertx") {
    override val answersUnread get() = true
    override val largeHeaders get() = 431
}
