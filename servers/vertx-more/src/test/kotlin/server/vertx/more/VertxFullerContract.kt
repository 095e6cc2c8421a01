package threadgauge.server.vertx.more

import threadgauge.contract.FullerContract

class VertxFullerContract : FullerContract(MAIN, STACK, STACK)

private const val STACK = "vertx"
private const val MAIN = "threadgauge.server.vertx.more.MainKt"
