package threadgauge.server.vertx.more

import threadgauge.contract.HttpContract
import threadgauge.contract.ShippedStack
import threadgauge.contract.ShippedStackContract
import threadgauge.contract.UpstreamContract
import threadgauge.server.upstream.Upstream
import java.io.File
import java.net.URI

class VertxBackendsContract : ShippedStackContract(MAIN, stack(newUpstream()), CHECKS)

class VertxUpstreamContract : UpstreamContract(MAIN, newUpstream(), ::stack)

/** Ends with the process of the tests. */
private fun newUpstream() = URI("http://127.0.0.1:${Upstream.start().port}")

private fun stack(upstream: URI) =
    ShippedStack.read(NAME, File("../$NAME/stacks.yaml"), isMore = true, places = mapOf("upstream" to "$upstream"))

/** Without a database: the fuller edition serves everything else then. */
private val CHECKS = HttpContract.plainChecks + HttpContract.backendChecks

private const val NAME = "vertx"
private const val MAIN = "threadgauge.server.vertx.more.MainKt"
