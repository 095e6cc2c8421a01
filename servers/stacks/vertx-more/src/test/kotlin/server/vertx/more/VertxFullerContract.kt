package threadgauge.server.vertx.more

import threadgauge.contract.testkit.ArticlesContract
import threadgauge.contract.testkit.FullerContract

class VertxFullerContract : FullerContract(MAIN, STACK, STACK)

class VertxR2dbcContract : ArticlesContract(MAIN, STACK, STACK, "r2dbc")

class VertxNaiveContract : ArticlesContract(MAIN, STACK, STACK, "naive")

private const val STACK = "vertx"
private const val MAIN = "threadgauge.server.vertx.more.MainKt"
