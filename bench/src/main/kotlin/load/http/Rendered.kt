package threadgauge.load.http

import threadgauge.model.Request

/** [request] with its placeholders replaced, as the agent would send request number [number]. For one thread. */
fun rendered(request: Request, number: Long, seed: Long = 1): Request {
    fun filled(template: String): String {
        val sink = ByteSink()
        Rendering(template, request.csv, seed).render(number, sink)
        return String(sink.bytes, 0, sink.length)
    }
    return request.copy(
        path = filled(request.path), headers = request.headers.mapValues { filled(it.value) }, body = request.body?.let(::filled),
    )
}
