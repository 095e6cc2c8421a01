package threadgauge.server.webflux.features

import threadgauge.contract.EachFeatureContract
import threadgauge.contract.FeatureContract

class SpringWebfluxFeatureContract : FeatureContract(MAIN, "spring-webflux", "spring-webflux")

class SpringWebfluxEachFeatureContract : EachFeatureContract(MAIN, "spring-webflux", "spring-webflux")

private const val MAIN = "threadgauge.server.webflux.MainKt"
