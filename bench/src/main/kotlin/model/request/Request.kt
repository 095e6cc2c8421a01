package threadgauge.model.request

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import threadgauge.model.EventsOnSale

/**
 * An HTTP request, and what a correct answer to it is. [path] starts with a slash and may carry a query.
 *
 * [path], the values of [headers] and [body] are templates. Each request of a load has a number, from 0 on and unlike
 * that of any other request of the load; what stands in a placeholder is a function of that number alone:
 *
 * | placeholder | stands for |
 * |---|---|
 * | `{1..10000}` | a whole number of that range, both ends included, drawn evenly |
 * | `{seq}` | the number of the request |
 * | `{random:8}` | as many letters and digits, drawn evenly |
 * | `{event}` | in a situation with `sale` the number of the event that is sold; of several the one of [events] that the request is for |
 * | `{csv:name}` | the value in column `name` of the row that the number falls on, after the last row the first again |
 *
 * Braces around anything else stand for themselves.
 */
@Serializable
data class Request(
    val method: String = "GET",
    val path: String,
    /** By name, in the order of sending. They replace the headers that the agent sends by default. */
    val headers: Map<String, String> = emptyMap(),
    val body: String? = null,
    /** Accept a compressed answer, and count its size as sent and as unpacked. */
    val gzip: Boolean = false,
    val expect: Expectation = Expectation(),
    /** Path of a field in the JSON answer, such as `seat.state`; how often it has each value is counted. Null: none. */
    val count: String? = null,
    /** Values of each column for `{csv:…}`, all of the same length. */
    val csv: Map<String, List<String>> = emptyMap(),
    /** The answer is a stream, of which each message is counted and timed; null for an answer as usual. */
    val stream: Stream? = null,
    /**
     * The events for `{event}` where several are on sale at the same time; null in a plan, because the numbers are
     * known only once the events are open.
     */
    val events: EventsOnSale? = null,
) {
    /** The answer may have no end: a stream of any number of messages. */
    val isEndless: Boolean get() = stream != null && expect.messages == null
}

/** Ways in which an answer goes on, message after message. */
@Serializable
enum class Stream {
    /** Server-sent events (HTML Living Standard, section 9.2). */
    @SerialName("events") EVENTS,

    /** A WebSocket (RFC 6455). Where messages are expected, the client closes it after so many. */
    @SerialName("websocket") WEBSOCKET,
}

/** Conditions of a correct answer. All that are set must hold. */
@Serializable
data class Expectation(
    /** Any status from 200 to 299 where this is empty. */
    val statuses: List<Int> = emptyList(),
    /** The exact body. */
    val body: String? = null,
    /** A part of the body. */
    val contains: String? = null,
    /** Values of fields of a JSON body, by the path of the field, such as `seat.state`. */
    val json: Map<String, String> = emptyMap(),
    /** Number of messages of a stream; null where any number will do. */
    val messages: Int? = null,
)

/** The request line and what else is sent, in words: "POST /customers, with headers, a body and checks". */
fun Request.words(): String {
    val extras = listOfNotNull(
        "headers".takeIf { headers.isNotEmpty() },
        "a body".takeIf { body != null },
        "gzip".takeIf { gzip },
        "a stream as its answer".takeIf { stream == Stream.EVENTS },
        "a WebSocket".takeIf { stream == Stream.WEBSOCKET },
        "checks".takeIf { expect != Expectation() },
        "a count of $count".takeIf { count != null },
    )
    return "$method $path" + when (extras.size) {
        0 -> ""
        1 -> ", with ${extras.single()}"
        else -> ", with ${extras.dropLast(1).joinToString(", ")} and ${extras.last()}"
    }
}
