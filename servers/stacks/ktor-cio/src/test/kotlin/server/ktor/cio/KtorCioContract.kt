package threadgauge.server.ktor.cio

import threadgauge.contract.testkit.ShippedStackContract

class KtorCioContract : ShippedStackContract("threadgauge.server.ktor.cio.MainKt", "ktor-cio")
