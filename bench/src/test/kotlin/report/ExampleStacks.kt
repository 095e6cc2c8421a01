package threadgauge.report

import threadgauge.model.ConcurrencyModel
import threadgauge.model.ConcurrencyModel.COROUTINES
import threadgauge.model.ConcurrencyModel.EVENT_LOOP
import threadgauge.model.ConcurrencyModel.PLATFORM_THREADS
import threadgauge.model.ConcurrencyModel.VIRTUAL_THREADS
import threadgauge.model.Load
import threadgauge.model.Situation
import threadgauge.model.Stack
import threadgauge.model.request.Request

/** An invented situation in which a request takes [serviceMillis] when nothing is in its way. */
internal class ExampleSituation(name: String, words: String, path: String, val users: Int, val serviceMillis: Double) {
    val situation = Situation(name, words, Request(path = path), Load.Users(users, 10_000_000_000))
}

internal val EXAMPLE_SITUATIONS = listOf(
    ExampleSituation("wait", "only wait (100 ms)", "/delay/100", 2000, 100.0),
    ExampleSituation("block", "block their thread (100 ms)", "/block/100", 400, 100.0),
    ExampleSituation("hello", "do next to nothing", "/hello", 64, 1.0),
)

/**
 * An invented stack. [speed] is in answers per second, one for each situation; [threads] is what it holds under load.
 */
internal class ExampleStack(
    name: String,
    title: String,
    model: ConcurrencyModel,
    val speed: List<Double>,
    val threads: Int,
    val bootMillis: Double,
    val settings: Map<String, String>,
) {
    private val jar = "servers/$name/target/$name.jar"
    val stack = Stack(
        name, title, model, "as shipped",
        listOf("{java}", "-Xmx512m", "-jar", jar, "--server.port={port}", "--greeting=hello world"), "servers/$name",
    )
}

internal val TOMCAT = mapOf(
    "max connections" to "8192", "accept queue" to "100", "keep-alive requests" to "100", "threads at most" to "200",
)

private val NETTY = mapOf("accept queue" to "128", "event loops" to "2")

private const val LONG_NAME = "quarkus-virtual-threads-with-a-rather-long-name-for-a-stack"
private const val LONG_TITLE = "Quarkus, virtual threads, and a title that is longer than most"

internal val EXAMPLE_STACKS = listOf(
    ExampleStack("spring-mvc", "Spring MVC", PLATFORM_THREADS, listOf(1987.0, 1981.0, 21450.0), 236, 2140.0, TOMCAT),
    ExampleStack(
        "spring-mvc-virtual", "Spring MVC, virtual threads", VIRTUAL_THREADS,
        listOf(12510.0, 3841.0, 20980.0), 42, 2180.0, TOMCAT,
    ),
    ExampleStack("spring-webflux", "Spring WebFlux", EVENT_LOOP, listOf(13890.0, 19.8, 24120.0), 31, 1890.0, NETTY),
    ExampleStack("ktor-netty", "Ktor on Netty", COROUTINES, listOf(13760.0, 39.5, 25610.0), 34, 960.0, NETTY),
    ExampleStack(
        "spring-mvc-coroutine", "Spring MVC, coroutines", COROUTINES, listOf(9120.0, 1979.0, 15230.0), 240, 2210.0,
        TOMCAT,
    ),
    ExampleStack(
        "spring-webflux-coroutine", "Spring WebFlux, coroutines", COROUTINES, listOf(12980.0, 19.7, 21870.0), 33,
        1930.0, NETTY,
    ),
    ExampleStack("ktor-cio", "Ktor on CIO", COROUTINES, listOf(11320.0, 639.0, 19480.0), 71, 910.0, NETTY),
    ExampleStack("ktor-tomcat", "Ktor on Tomcat", COROUTINES, listOf(8470.0, 1975.0, 16110.0), 229, 1310.0, TOMCAT),
    ExampleStack("helidon-se", "Helidon SE", VIRTUAL_THREADS, listOf(14020.0, 3866.0, 27340.0), 39, 620.0, emptyMap()),
    ExampleStack("vertx", "Vert.x", EVENT_LOOP, listOf(14110.0, 19.6, 29870.0), 30, 540.0, NETTY),
    ExampleStack("quarkus", "Quarkus", EVENT_LOOP, listOf(13650.0, 1969.0, 26200.0), 96, 880.0, NETTY),
    ExampleStack(LONG_NAME, LONG_TITLE, VIRTUAL_THREADS, listOf(13410.0, 3822.0, 22950.0), 44, 900.0, NETTY),
)
