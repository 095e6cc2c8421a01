package threadgauge.server.vertx.more

import threadgauge.contract.ArticlesContract

class VertxH2Contract : ArticlesContract(MAIN, "vertx", "vertx", "h2")

class VertxPostgresqlContract : ArticlesContract(MAIN, "vertx", "vertx", "postgresql")

private const val MAIN = "threadgauge.server.vertx.more.MainKt"
