package threadgauge.server.ktor.features

import threadgauge.contract.testkit.EachFeatureContract
import threadgauge.contract.testkit.FeatureContract

class KtorFeatureContract : FeatureContract(MAIN, "ktor", "ktor-netty")

class KtorEachFeatureContract : EachFeatureContract(MAIN, "ktor", "ktor-netty")

private const val MAIN = "threadgauge.server.ktor.MainKt"
