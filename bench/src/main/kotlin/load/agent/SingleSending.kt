package threadgauge.load.agent

import threadgauge.load.http.ByteSink
import threadgauge.load.http.Rendering
import threadgauge.load.http.http1.authority
import threadgauge.model.Request

/**
 * [request] with its placeholders replaced, as an agent would send request number [number] of a load. For one thread.
 */
fun rendered(request: Request, number: Long, seed: Long = 1): Request {
    fun filled(template: String): String {
        val sink = ByteSink()
        Rendering(template, request, seed).render(number, sink)
        return String(sink.bytes, 0, sink.length)
    }
    return request.copy(
        path = filled(request.path),
        headers = request.headers.mapValues { filled(it.value) },
        body = request.body?.let(::filled),
    )
}

/** `host:port`, as it stands in a URL and in the header `Host`. */
val Address.authority: String get() = authority(host, port)
