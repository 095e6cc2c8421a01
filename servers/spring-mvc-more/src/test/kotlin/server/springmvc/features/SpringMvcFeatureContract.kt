package threadgauge.server.springmvc.features

import threadgauge.contract.FeatureContract

class SpringMvcFeatureContract : FeatureContract("threadgauge.server.springmvc.MainKt", "spring-mvc", "spring-mvc")
