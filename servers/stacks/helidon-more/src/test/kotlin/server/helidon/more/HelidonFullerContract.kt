package threadgauge.server.helidon.more

import threadgauge.contract.testkit.FullerContract

class HelidonFullerContract : FullerContract(MAIN, STACK, STACK)

private const val STACK = "helidon"
private const val MAIN = "threadgauge.server.helidon.more.MainKt"
