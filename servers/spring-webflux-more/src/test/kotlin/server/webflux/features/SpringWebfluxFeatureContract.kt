package threadgauge.server.webflux.features

import threadgauge.contract.FeatureContract
import threadgauge.contract.ShippedStack
import java.io.File

class SpringWebfluxFeatureContract : FeatureContract("threadgauge.server.webflux.MainKt", shipped(), shipped(ALL))

private val ALL = listOf("gzip", "default-headers", "cors", "interceptor", "call-logging")

private fun shipped(options: List<String> = emptyList()) =
    ShippedStack.read("spring-webflux", File("../spring-webflux/stacks.yaml"), isMore = true, options = options)
