package threadgauge.server.webflux.features

import threadgauge.contract.testkit.EachFeatureContract
import threadgauge.contract.testkit.FeatureContract

class SpringWebfluxFeatureContract : FeatureContract(MAIN, "spring-webflux", "spring-webflux")

class SpringWebfluxEachFeatureContract : EachFeatureContract(MAIN, "spring-webflux", "spring-webflux")

private const val MAIN = "threadgauge.server.webflux.MainKt"
