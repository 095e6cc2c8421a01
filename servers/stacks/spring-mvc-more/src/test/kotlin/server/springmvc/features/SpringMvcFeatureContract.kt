package threadgauge.server.springmvc.features

import threadgauge.contract.EachFeatureContract
import threadgauge.contract.FeatureContract

class SpringMvcFeatureContract : FeatureContract(MAIN, "spring-mvc", "spring-mvc")

class SpringMvcVirtualFeatureContract : FeatureContract(MAIN, "spring-mvc", "spring-mvc-virtual")

class SpringMvcEachFeatureContract : EachFeatureContract(MAIN, "spring-mvc", "spring-mvc")

private const val MAIN = "threadgauge.server.springmvc.MainKt"
