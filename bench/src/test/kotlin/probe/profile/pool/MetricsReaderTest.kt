package threadgauge.probe.profile.pool

import com.sun.net.httpserver.HttpServer
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.shouldBe
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.URI
import java.util.concurrent.ConcurrentLinkedQueue
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.model.profile.Pool
import threadgauge.model.profile.PoolKind

@Tag("ports")
class MetricsReaderTest {
    private val answers = HashMap<String, () -> String>()
    private val asked = ConcurrentLinkedQueue<String>()
    private val server = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0).apply {
        createContext("/") { exchange ->
            val path = exchange.requestURI.path.also(asked::add)
            val answer = answers[path]?.invoke()?.toByteArray()
            exchange.sendResponseHeaders(if (answer == null) 404 else 200, answer?.size?.toLong() ?: -1)
            exchange.responseBody.use { out -> answer?.let(out::write) }
        }
        start()
    }

    @AfterEach
    fun stop() = server.stop(0)

    @Test
    fun `a page for Prometheus has the pools by their names`() {
        val waiting = iterator { for (one in listOf(0, 190, 191, 192)) yield(one) }
        answers["/actuator/prometheus"] = {
            """
            # HELP hikaricp_connections_active Active connections
            # TYPE hikaricp_connections_active gauge
            hikaricp_connections_active{application="shop, old",pool="main \"1\""} 10.0
            hikaricp_connections_max{application="shop, old",pool="main \"1\""} 10.0
            hikaricp_connections_pending{application="shop, old",pool="main \"1\""} ${waiting.next()}
            tomcat_threads_busy_threads{name="http-nio-8080"} 200.0
            tomcat_threads_config_max_threads{name="http-nio-8080"} 200.0 1700000000000
            r2dbc_pool_acquired_connections{name="connectionFactory"} 3.0
            r2dbc_pool_max_allocated_connections{name="connectionFactory"} 2.147483647E9
            reactor_netty_connection_provider_active_connections{id="7",name="http",remote_address="b:80"} 500.0
            reactor_netty_connection_provider_max_connections{id="7",name="http",remote_address="b:80"} 500.0
            jvm_memory_used_bytes{area="heap"} NaN
            this is no sample
            """.trimIndent()
        }
        read(calls = 9) shouldContainExactly listOf(
            Pool("http-nio-8080", PoolKind.TOMCAT_THREADS, 200, 200.0),
            Pool("main \\\"1\\\"", PoolKind.HIKARI, 10, 10.0, 191.0),
            Pool("connectionFactory", PoolKind.R2DBC, null, 3.0),
            Pool("http b:80", PoolKind.REACTOR_NETTY, 500, 500.0),
        )
    }

    @Test
    fun `the actuator has them one by one`() {
        fun metric(value: Double, name: String = "main") =
            """{"name":"x","measurements":[{"statistic":"VALUE","value":$value}],
               "availableTags":[{"tag":"pool","values":["$name"]},{"tag":"application","values":["shop"]}]}"""
        answers["/actuator/metrics"] = {
            """{"names":["jvm.memory.used","hikaricp.connections.active","hikaricp.connections.max",
                "hikaricp.connections.pending"]}"""
        }
        answers["/actuator/metrics/hikaricp.connections.active"] = { metric(4.0) }
        answers["/actuator/metrics/hikaricp.connections.max"] = { metric(10.0) }
        answers["/actuator/metrics/hikaricp.connections.pending"] = { metric(1.0) }
        read(calls = 1) shouldContainExactly listOf(Pool("main", PoolKind.HIKARI, 10, 4.0, 1.0))
        asked.none { it.endsWith("jvm.memory.used") } shouldBe true
    }

    @Test
    fun `a service without them is asked once for each path`() {
        answers["/metrics"] = { "<html>a page of the shop</html>" }
        read(calls = 9).shouldBeEmpty()
        asked.size shouldBeLessThan 5
    }

    @Test
    fun `a service that is gone has none`() {
        server.stop(0)
        read(calls = 1).shouldBeEmpty()
    }

    @Test
    fun `of several sources the first that knows a kind counts, and one that fails keeps no other from telling`() {
        val jmx = FixedPools(Pool("HikariPool-1", PoolKind.HIKARI, 10, 9.0))
        val http = FixedPools(Pool("main", PoolKind.HIKARI, 10, 8.0), Pool("http", PoolKind.REACTOR_NETTY, 500, 1.0))
        val broken = object : PoolSource {
            override fun find() = error("it is gone")
            override fun read() = error("it is gone")
            override fun pools() = emptyList<Pool>()
        }
        val all = AllPools(listOf(broken, jmx, http))
        runCatching { all.find() }.exceptionOrNull()?.message shouldBe "it is gone"
        runCatching { all.read() }.exceptionOrNull()?.message shouldBe "it is gone"
        all.pools().map { it.name } shouldContainExactly listOf("HikariPool-1", "http")
        http.reads shouldBe 1
    }

    private class FixedPools(private vararg val all: Pool) : PoolSource {
        var reads = 0

        override fun find() = Unit

        override fun read() {
            reads++
        }

        override fun pools() = all.toList()
    }

    private fun read(calls: Int): List<Pool> = MetricsReader(URI("http://127.0.0.1:${server.address.port}")).use {
        it.find()
        repeat(calls) { _ -> it.read() }
        it.pools()
    }
}
