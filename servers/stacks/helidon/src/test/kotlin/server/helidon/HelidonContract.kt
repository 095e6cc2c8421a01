package threadgauge.server.helidon

import threadgauge.contract.ShippedStackContract

class HelidonContract : ShippedStackContract("threadgauge.server.helidon.MainKt", "helidon") {
    override val answersUnread get() = true
}
