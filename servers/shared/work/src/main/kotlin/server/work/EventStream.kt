package threadgauge.server.work

/**
 * The parameters of `GET /events/{ms}/{count}`: a stream of [count] server-sent events. Each comes [millis]
 * milliseconds after the one before, and the first as long after the request.
 */
class EventStream private constructor(val millis: Long, val count: Int) {
    companion object {
        private const val MAX_COUNT = 10_000

        /** Throws [BadRequest] for the first invalid parameter. */
        fun parse(ms: String, count: String) = EventStream(millisOf(ms), wholeNumber("count", count, 1..MAX_COUNT))

        /** Event number [number], from 0, as it is sent. */
        fun event(number: Int) = "data:$number\n\n"
    }
}
