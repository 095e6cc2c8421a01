package threadgauge.patients

import com.sun.net.httpserver.HttpServer
import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import java.net.InetSocketAddress
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicLong
import org.h2.tools.Server

/**
 * Answers each request after [millis], [atOnce] at a time, or all at once where that is 0. `/flaky` fails two times of
 * three.
 */
internal fun startBackend(port: Int, millis: Long, atOnce: Int) {
    val asked = AtomicLong()
    val server = HttpServer.create(InetSocketAddress("127.0.0.1", port), 4_096)
    server.executor =
        if (atOnce == 0) Executors.newVirtualThreadPerTaskExecutor() else Executors.newFixedThreadPool(atOnce)
    server.createContext("/") { exchange ->
        Thread.sleep(millis)
        val fails = exchange.requestURI.path == "/flaky" && asked.incrementAndGet() % 3 != 0L
        exchange.sendResponseHeaders(if (fails) 503 else 200, 2)
        exchange.responseBody.use { it.write("ok".toByteArray()) }
    }
    server.start()
}

/** H2 over TCP, so that its clients wait for a socket as those of any other database do. */
internal fun startDatabase(port: Int) {
    Server.createTcpServer("-tcpPort", "$port", "-ifNotExists").start()
}

internal val backend: String get() = System.getenv("BACKEND")

/** A pool of [size] connections to the database, which knows `SLEEP`. */
internal fun connections(size: Int): HikariDataSource {
    val config = HikariConfig()
    config.jdbcUrl = "jdbc:h2:tcp://127.0.0.1:${System.getenv("DATABASE")}/mem:patients;DB_CLOSE_DELAY=-1"
    config.username = "sa"
    // As Spring Boot would read it, so that advice can be carried out.
    config.maximumPoolSize = Integer.getInteger("spring.datasource.hikari.maximum-pool-size", size)
    config.connectionTimeout = 30_000
    return HikariDataSource(config).also { source ->
        source.connection.use { it.createStatement().execute(SLEEP) }
    }
}

internal fun query(source: HikariDataSource, millis: Long): String {
    source.connection.use { connection ->
        connection.prepareStatement("call sleep(?)").use { statement ->
            statement.setLong(1, millis)
            statement.execute()
        }
    }
    return "ok"
}

private val client: HttpClient by lazy { HttpClient.newHttpClient() }

/** The status of the answer. */
internal fun call(url: String): Int =
    client.send(HttpRequest.newBuilder(URI(url)).build(), HttpResponse.BodyHandlers.ofString()).statusCode()

private const val SLEEP = "create alias if not exists sleep for \"java.lang.Thread.sleep(long)\""
