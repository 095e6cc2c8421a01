package threadgauge.server.ktor.features

import threadgauge.contract.EachFeatureContract
import threadgauge.contract.FeatureContract

class KtorFeatureContract : FeatureContract(MAIN, "ktor", "ktor-netty")

class KtorEachFeatureContract : EachFeatureContract(MAIN, "ktor", "ktor-netty")

private const val MAIN = "threadgauge.server.ktor.MainKt"
