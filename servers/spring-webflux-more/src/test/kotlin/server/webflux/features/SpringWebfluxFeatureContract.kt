package threadgauge.server.webflux.features

import threadgauge.contract.FeatureContract

class SpringWebfluxFeatureContract : FeatureContract("threadgauge.server.webflux.MainKt", "spring-webflux", "spring-webflux")
