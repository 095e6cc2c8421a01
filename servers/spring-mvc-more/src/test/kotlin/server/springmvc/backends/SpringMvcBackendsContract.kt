package threadgauge.server.springmvc.backends

import threadgauge.contract.HttpContract
import threadgauge.contract.ShippedStack
import threadgauge.contract.ShippedStackContract
import threadgauge.contract.UpstreamContract
import threadgauge.server.upstream.Upstream
import java.io.File
import java.net.URI

class SpringMvcBackendsContract : ShippedStackContract(MAIN, stack("spring-mvc", newUpstream()), CHECKS)

class SpringMvcVirtualBackendsContract : ShippedStackContract(MAIN, stack("spring-mvc-virtual", newUpstream()), CHECKS)

class SpringMvcUpstreamContract : UpstreamContract(MAIN, newUpstream(), { stack("spring-mvc", it) })

/** Ends with the process of the tests. */
private fun newUpstream() = URI("http://127.0.0.1:${Upstream.start().port}")

private fun stack(name: String, upstream: URI) =
    ShippedStack.read(name, File("../spring-mvc/stacks.yaml"), isMore = true, places = mapOf("upstream" to "$upstream"))

/** Without a database: the fuller edition serves everything else then. */
private val CHECKS = HttpContract.plainChecks + HttpContract.moreChecks + HttpContract.backendChecks

private const val MAIN = "threadgauge.server.springmvc.MainKt"
