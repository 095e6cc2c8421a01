package threadgauge.server.ktor.features

import threadgauge.contract.FeatureContract

class KtorFeatureContract : FeatureContract("threadgauge.server.ktor.MainKt", "ktor", "ktor-netty")
