package threadgauge.server.vertx

import io.micrometer.core.instrument.Meter
import io.micrometer.core.instrument.config.MeterFilter
import io.micrometer.core.instrument.config.MeterFilterReply

/**
 * As on the other stacks, each request is one record in one timer of the same name. Vert.x would keep counts of bytes, connections and
 * pools beside it, which no other stack does; that would be unequal work.
 */
object OneTimer : MeterFilter {
    private const val VERTX = "vertx."
    private const val RESPONSE_TIME = "vertx.http.server.response.time"
    private const val REQUESTS = "http.server.requests"

    override fun map(id: Meter.Id): Meter.Id = if (id.name == RESPONSE_TIME) id.withName(REQUESTS) else id

    override fun accept(id: Meter.Id): MeterFilterReply =
        if (id.name.startsWith(VERTX)) MeterFilterReply.DENY else MeterFilterReply.NEUTRAL
}
