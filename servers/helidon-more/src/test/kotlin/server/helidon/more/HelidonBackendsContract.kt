package threadgauge.server.helidon.more

import threadgauge.contract.HttpContract
import threadgauge.contract.ShippedStack
import threadgauge.contract.ShippedStackContract
import threadgauge.contract.UpstreamContract
import threadgauge.server.upstream.Upstream
import java.io.File
import java.net.URI

class HelidonBackendsContract : ShippedStackContract(MAIN, stack(newUpstream()), CHECKS)

class HelidonUpstreamContract : UpstreamContract(MAIN, newUpstream(), ::stack)

/** Ends with the process of the tests. */
private fun newUpstream() = URI("http://127.0.0.1:${Upstream.start().port}")

private fun stack(upstream: URI) =
    ShippedStack.read(NAME, File("../$NAME/stacks.yaml"), isMore = true, places = mapOf("upstream" to "$upstream"))

/** Without a database: the fuller edition serves everything else then. */
private val CHECKS = HttpContract.plainChecks + HttpContract.backendChecks

private const val NAME = "helidon"
private const val MAIN = "threadgauge.server.helidon.more.MainKt"
