package threadgauge.server.ktor.features

import threadgauge.contract.FeatureContract
import threadgauge.contract.ShippedStack
import java.io.File

class KtorFeatureContract : FeatureContract("threadgauge.server.ktor.MainKt", shipped(), shipped(ALL))

private val ALL = listOf("gzip", "default-headers", "cors", "interceptor", "call-logging")

private fun shipped(options: List<String> = emptyList()) =
    ShippedStack.read("ktor-netty", File("../ktor/stacks.yaml"), isMore = true, options = options)
