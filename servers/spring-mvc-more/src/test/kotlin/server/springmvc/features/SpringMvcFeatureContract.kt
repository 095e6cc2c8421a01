package threadgauge.server.springmvc.features

import threadgauge.contract.FeatureContract
import threadgauge.contract.ShippedStack
import java.io.File

class SpringMvcFeatureContract : FeatureContract("threadgauge.server.springmvc.MainKt", shipped(), shipped(ALL))

private val ALL = listOf("gzip", "default-headers", "cors", "interceptor", "call-logging")

private fun shipped(options: List<String> = emptyList()) =
    ShippedStack.read("spring-mvc", File("../spring-mvc/stacks.yaml"), isMore = true, options = options)
