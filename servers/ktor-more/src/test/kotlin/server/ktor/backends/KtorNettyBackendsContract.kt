package threadgauge.server.ktor.backends

import threadgauge.contract.HttpContract
import threadgauge.contract.ShippedStack
import threadgauge.contract.ShippedStackContract
import threadgauge.contract.UpstreamContract
import threadgauge.server.upstream.Upstream
import java.io.File
import java.net.URI

class KtorNettyBackendsContract : ShippedStackContract(MAIN, stack("ktor-netty", newUpstream()), CHECKS)

class KtorNettyUpstreamContract : UpstreamContract(MAIN, newUpstream(), { stack("ktor-netty", it) })

/** Ends with the process of the tests. */
private fun newUpstream() = URI("http://127.0.0.1:${Upstream.start().port}")

private fun stack(name: String, upstream: URI) =
    ShippedStack.read(name, File("../ktor/stacks.yaml"), isMore = true, places = mapOf("upstream" to "$upstream"))

/** Without a database: the fuller edition serves everything else then. */
private val CHECKS = HttpContract.plainChecks + HttpContract.moreChecks + HttpContract.backendChecks

private const val MAIN = "threadgauge.server.ktor.MainKt"
