package threadgauge.server.ktor.tomcat

import threadgauge.contract.testkit.FeatureContract

class KtorTomcatFeatureContract : FeatureContract("threadgauge.server.ktor.tomcat.MainKt", "ktor-tomcat", "ktor-tomcat")
