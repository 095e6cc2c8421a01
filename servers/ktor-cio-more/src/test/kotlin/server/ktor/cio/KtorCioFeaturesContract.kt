package threadgauge.server.ktor.cio

import threadgauge.contract.FeaturesTogetherContract

class KtorCioFeaturesContract : FeaturesTogetherContract("threadgauge.server.ktor.cio.MainKt", "ktor-cio", "ktor-cio")
