package threadgauge.serve

import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpServer
import java.io.IOException
import java.net.BindException
import java.net.InetSocketAddress
import java.net.URLEncoder
import java.nio.file.Path
import java.util.concurrent.ExecutorService
import java.util.concurrent.Executors
import kotlin.concurrent.thread
import threadgauge.model.failure.Failed
import threadgauge.model.failure.Failure
import threadgauge.report.runs.messageHtml
import threadgauge.report.runs.refusedHtml
import threadgauge.wording.failure.words

/**
 * The page over all runs of a folder. It reads records and summaries, writes summaries of runs where there are none,
 * and starts nothing. Each request has a virtual thread. [close] ends it at once.
 */
class RunServer private constructor(
    private val server: HttpServer,
    private val threads: ExecutorService,
    private val index: RunIndex,
    private val pages: Pages,
    private val access: Access,
    private val bug: (Throwable) -> Unit,
) : AutoCloseable {
    val port: Int get() = server.address.port

    private fun start() {
        server.executor = threads
        server.createContext("/") { exchange -> exchange.use { answer(it) } }
        server.start()
        // So that the first page finds the summaries read and the classes loaded.
        thread(isDaemon = true, name = "first-look") { runCatching { pages.answer(emptyList(), Query(null)) } }
    }

    override fun close() {
        server.stop(0)
        threads.shutdownNow()
        index.close()
    }

    private fun answer(exchange: HttpExchange) {
        val response = try {
            respond(exchange)
        } catch (failed: Failed) {
            page(messageHtml("This record cannot be read", listOf(failed.words())), status = 422)
        } catch (unreadable: IOException) {
            page(messageHtml("The folder cannot be read", listOf("$unreadable")), status = 500)
        } catch (broken: Exception) {
            bug(broken)
            page(messageHtml("This is a bug in Threadgauge", listOf("$broken", "The terminal shows more.")), 500)
        }
        try {
            send(exchange, response)
        } catch (_: IOException) {
            // The browser is gone.
        }
    }

    private fun respond(exchange: HttpExchange): Response {
        val hosts = exchange.requestHeaders["Host"].orEmpty()
        if (hosts.size != 1 || !access.knows(hosts.single())) {
            return page(refusedHost(), status = 421)
        }
        if (exchange.requestMethod != "GET") {
            return Response(405, HTML, ByteArray(0), NOTHING_LOADED, mapOf("Allow" to "GET"))
        }
        val uri = exchange.requestURI
        val query = Query(uri.rawQuery)
        val token = query["token"]
        if (token != null && access.isToken(token)) return redirect(uri.rawPath, mapOf("Set-Cookie" to cookie(token)))
        if (!access.lets(exchange.requestHeaders["Cookie"].orEmpty())) {
            return Response(401, HTML, refusedHtml().toByteArray(), NOTHING_LOADED)
        }
        val steps = stepsOf(uri.rawPath) ?: return Response(400, HTML, ByteArray(0), NOTHING_LOADED)
        return pages.answer(steps, query)
    }

    /** Not for scripts, and not for what other sites load. It ends with the browser. */
    private fun cookie(token: String) = "${access.cookie}=$token; Path=/; HttpOnly; SameSite=Lax"

    private fun refusedHost() = messageHtml(
        "Another name than this machine's",
        listOf(
            "The browser asked for a name that this server does not know as its own, so it does not answer: " +
                "a page of somebody else may be behind it. Open the address that `threadgauge serve` printed.",
        ),
    )

    private fun send(exchange: HttpExchange, response: Response) {
        val headers = exchange.responseHeaders
        val charset = if (response.type.startsWith("text/")) "; charset=utf-8" else ""
        headers["Content-Type"] = response.type + charset
        headers["Content-Security-Policy"] = response.policy
        headers["Cache-Control"] = if (response.isConstant) "private, max-age=31536000, immutable" else "no-store"
        SAFETY.forEach { (name, value) -> headers[name] = value }
        response.headers.forEach { (name, value) -> headers[name] = value }
        val hasBody = response.body.isNotEmpty()
        exchange.sendResponseHeaders(response.status, if (hasBody) response.body.size.toLong() else -1)
        if (hasBody) exchange.responseBody.use { it.write(response.body) }
    }

    companion object {
        /**
         * Serves the runs in [place] at [address], to those whom [access] lets in. [bug] is told of exceptions that
         * nobody expects, on any thread. Throws [Failed] if the port is in use, and [IOException] if the address cannot
         * be listened on.
         */
        fun start(place: Path, address: InetSocketAddress, access: Access, bug: (Throwable) -> Unit): RunServer {
            LIMITS.forEach { (name, value) -> if (System.getProperty(name) == null) System.setProperty(name, value) }
            val server = try {
                HttpServer.create(address, 0)
            } catch (denied: BindException) {
                if ("in use" !in denied.message.orEmpty()) throw denied
                throw Failed(Failure.Port(address.port, "--port"), denied)
            }
            val index = RunIndex(place)
            val threads = Executors.newVirtualThreadPerTaskExecutor()
            return RunServer(server, threads, index, Pages("$place", index), access, bug).also { it.start() }
        }

        /** With the token, where there is one: the address that a user opens first. */
        fun addressOf(host: String, port: Int, token: String?): String {
            val name = if (':' in host && !host.startsWith('[')) "[$host]" else host
            return "http://$name:$port/" + token?.let { "?token=" + URLEncoder.encode(it, Charsets.UTF_8) }.orEmpty()
        }

        private val SAFETY = mapOf(
            "X-Content-Type-Options" to "nosniff",
            "X-Frame-Options" to "DENY",
            "Referrer-Policy" to "no-referrer",
            "Cross-Origin-Opener-Policy" to "same-origin",
            "Cross-Origin-Resource-Policy" to "same-origin",
        )

        /** Of the JDK's server: slow and idle clients hold nothing for long, and small answers do not wait. */
        private val LIMITS = mapOf(
            "sun.net.httpserver.maxReqTime" to "30",
            "sun.net.httpserver.maxRspTime" to "60",
            "sun.net.httpserver.nodelay" to "true",
            "jdk.httpserver.maxConnections" to "200",
        )
    }
}
