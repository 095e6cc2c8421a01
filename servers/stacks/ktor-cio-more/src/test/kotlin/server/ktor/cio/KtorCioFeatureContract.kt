package threadgauge.server.ktor.cio

import threadgauge.contract.testkit.FeatureContract

class KtorCioFeatureContract :
    FeatureContract("threadgauge.server.ktor.cio.MainKt", "ktor-cio", "ktor-cio", hasTls = false)
