package threadgauge.server.backends

import io.netty.channel.ChannelOption
import java.time.Duration
import java.util.concurrent.ConcurrentHashMap
import org.springframework.http.client.reactive.ReactorClientHttpConnector
import org.springframework.web.reactive.function.client.WebClient
import reactor.netty.http.client.HttpClient
import reactor.netty.resources.ConnectionProvider
import reactor.netty.resources.LoopResources

/** One WebClient of Spring for each number of event loops, created at its first use and kept. All requests share it. */
internal class WebClients(private val upstream: String) {
    private val clients = ConcurrentHashMap<Int, WebClient>()

    fun of(threads: Int): WebClient = clients.computeIfAbsent(threads, ::newClient)

    private fun newClient(threads: Int): WebClient {
        val name = "webclient-$threads"
        val client = HttpClient.create(ConnectionProvider.create(name, MAX_CONNECTIONS))
            .runOn(LoopResources.create(name, threads, true))
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS.toInt())
            .responseTimeout(Duration.ofMillis(REQUEST_TIMEOUT_MILLIS))
        return WebClient.builder().baseUrl(upstream).clientConnector(ReactorClientHttpConnector(client)).build()
    }
}

/** Default of Reactor Netty. Twice as many calls may queue for a connection, and more fail at once. */
private const val MAX_CONNECTIONS = 500
