package threadgauge.server.helidon

import threadgauge.contract.testkit.ShippedStackContract

class HelidonContract : ShippedStackContract("threadgauge.server.helidon.MainKt", "helidon") {
    override val answersUnread get() = true
}
