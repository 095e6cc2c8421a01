package threadgauge.server.ktor.tomcat

import threadgauge.contract.FeaturesTogetherContract

class KtorTomcatFeaturesContract : FeaturesTogetherContract("threadgauge.server.ktor.tomcat.MainKt", "ktor-tomcat", "ktor-tomcat", "http2")
