package threadgauge.server.springmvc.features

import threadgauge.contract.testkit.EachFeatureContract
import threadgauge.contract.testkit.FeatureContract

class SpringMvcFeatureContract : FeatureContract(MAIN, "spring-mvc", "spring-mvc")

class SpringMvcVirtualFeatureContract : FeatureContract(MAIN, "spring-mvc", "spring-mvc-virtual")

class SpringMvcEachFeatureContract : EachFeatureContract(MAIN, "spring-mvc", "spring-mvc")

private const val MAIN = "threadgauge.server.springmvc.MainKt"
