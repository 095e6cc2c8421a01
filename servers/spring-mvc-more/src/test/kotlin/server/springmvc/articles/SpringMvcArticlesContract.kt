package threadgauge.server.springmvc.articles

import threadgauge.contract.ArticlesContract

class SpringMvcH2Contract : ArticlesContract(MAIN, "spring-mvc", "spring-mvc", "h2")

class SpringMvcVirtualH2Contract : ArticlesContract(MAIN, "spring-mvc", "spring-mvc-virtual", "h2")

class SpringMvcPostgresqlContract : ArticlesContract(MAIN, "spring-mvc", "spring-mvc", "postgresql")

class SpringMvcVirtualPostgresqlContract : ArticlesContract(MAIN, "spring-mvc", "spring-mvc-virtual", "postgresql")

private const val MAIN = "threadgauge.server.springmvc.MainKt"
