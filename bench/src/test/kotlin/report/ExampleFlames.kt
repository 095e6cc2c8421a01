package threadgauge.report

import threadgauge.judge.cause.GroupKey
import threadgauge.judge.cause.frameOf
import threadgauge.judge.flame.FoldedStack
import threadgauge.judge.flame.FoldedStacks
import threadgauge.judge.flame.graphOf
import threadgauge.model.judgement.cause.FlameGraph
import threadgauge.model.judgement.cause.StackFlames
import threadgauge.model.profile.FlameKind
import threadgauge.model.profile.FlameSource

/** The example with causes, and with **invented** flame graphs of each stack in each situation. */
internal fun exampleWithFlames(): Example = exampleWithCauses().let { example ->
    val flames = example.judgement.situations.flatMap { situation ->
        situation.cells.map { StackFlames(it.stack, situation.situation.name, exampleGraphs()) }
    }
    Example(example.record, example.judgement, flames)
}

internal fun exampleGraphs(): List<FlameGraph> = listOf(
    graphOf(FoldedStacks(FlameKind.CPU, FlameSource.NATIVE, 800, cpuStacks(price = 40.0)), null),
    graphOf(FoldedStacks(FlameKind.WALL, FlameSource.DUMPS, 20, wallStacks()), null),
    graphOf(FoldedStacks(FlameKind.ALLOCATION, FlameSource.EVENTS, 300, allocations()), null),
)

/** `Price.of` takes twice as long as before, and `Tax.of` is gone. */
internal fun exampleDifference(): List<FlameGraph> = listOf(
    graphOf(
        FoldedStacks(FlameKind.CPU, FlameSource.NATIVE, 800, cpuStacks(price = 80.0)),
        FoldedStacks(
            FlameKind.CPU, FlameSource.NATIVE, 700,
            cpuStacks(price = 40.0) + stack(REQUESTS, 25.0, "shop.Tax.of(Tax.kt:5)", *HANDLER),
        ),
    ),
)

private fun cpuStacks(price: Double) = listOf(
    stack(REQUESTS, price, "java.util.HashMap.get(HashMap.java:560)", "shop.Price.of(Price.kt:20)", *HANDLER),
    stack(REQUESTS, 12.0, "shop.Price.of(Price.kt:22)", *HANDLER),
    stack(
        REQUESTS, 21.0, "com.fasterxml.jackson.core.json.UTF8JsonGenerator.writeString(UTF8JsonGenerator.java:510)",
        "org.springframework.http.converter.json.AbstractJackson2HttpMessageConverter.writeInternal", *SERVLETS,
    ),
    stack(REQUESTS, 9.0, "libc.so.6.__send()", "sun.nio.ch.SocketDispatcher.write0(SocketDispatcher.java)", *SERVLETS),
    stack(
        "virtual", 18.0, "server.ktor.EndpointsKt\$routes\$1\$1.invokeSuspend(Endpoints.kt:31)",
        "kotlin.coroutines.jvm.internal.BaseContinuationImpl.resumeWith(ContinuationImpl.kt:33)",
        "kotlinx.coroutines.DispatchedTask.run(DispatchedTask.kt:100)",
        "java.lang.VirtualThread.run(VirtualThread.java:460)", isVirtual = true,
    ),
    stack("GC Thread#", 7.5, "libjvm.so.G1ParScanThreadState::trim_queue()", "libjvm.so.WorkerThread::run()"),
) + (1..40).map { stack(REQUESTS, 0.3, "shop.Small$it.of(Small.kt:$it)", *HANDLER) }

private fun wallStacks() = listOf(
    stack(REQUESTS, 100_100.0, "java.lang.Thread.sleep(Thread.java:509)", "shop.WaitsKt.sleep(Waits.kt:10)", *HANDLER),
    stack(REQUESTS, 900.0, "shop.Stock.take(Stock.kt:9)", *HANDLER),
)

private fun allocations() = listOf(
    stack(REQUESTS, 4_096.0, "byte[].new", "java.util.Arrays.copyOf(Arrays.java:3500)", *HANDLER),
    stack(REQUESTS, 512.0, "java.lang.String.new", "shop.Price.of(Price.kt:20)", *HANDLER),
)

private fun stack(threads: String, value: Double, vararg frames: String, isVirtual: Boolean = false) =
    FoldedStack(GroupKey(threads, isVirtual), frames.map(::frameOf), value)

private const val REQUESTS = "http-nio-#-exec-#"
private val SERVLETS = arrayOf(
    "org.springframework.web.servlet.DispatcherServlet.doDispatch(DispatcherServlet.java:963)",
    "org.apache.catalina.core.ApplicationFilterChain.doFilter(ApplicationFilterChain.java:110)",
    "org.apache.tomcat.util.net.NioEndpoint\$SocketProcessor.doRun(NioEndpoint.java:1776)",
    "org.apache.tomcat.util.threads.ThreadPoolExecutor.runWorker(ThreadPoolExecutor.java:975)",
    "java.lang.Thread.run(Thread.java:1474)",
)
private val HANDLER = arrayOf("shop.Endpoints.block(Endpoints.kt:31)") + SERVLETS
