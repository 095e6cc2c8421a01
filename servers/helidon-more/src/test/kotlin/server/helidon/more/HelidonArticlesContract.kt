package threadgauge.server.helidon.more

import threadgauge.contract.ArticlesContract

class HelidonH2Contract : ArticlesContract(MAIN, "helidon", "helidon", "h2")

class HelidonPostgresqlContract : ArticlesContract(MAIN, "helidon", "helidon", "postgresql")

private const val MAIN = "threadgauge.server.helidon.more.MainKt"
