package threadgauge.contract.example

import java.net.URI
import threadgauge.contract.check.backend.results
import threadgauge.contract.check.backend.strategies
import threadgauge.contract.check.backend.userPage

/**
 * The reply of what only fuller editions serve. Where these call a backend, this one only waits as long as they would.
 * Null for other paths.
 */
internal fun replyOfBackends(uri: URI, counts: Counts): Reply? {
    val parts = uri.path.split('/').drop(1)
    val query = uri.rawQuery.orEmpty().split('&').filter { it.isNotEmpty() }
        .groupBy({ it.substringBefore('=') }, { it.substringAfter('=', "") })
        .mapValues { (_, values) -> values.joinToString(",") }
    return try {
        when {
            parts.size == 3 && parts[0] == "mobile" -> userPageReply(parts[2], query, counts)
            parts.size == 3 && parts[0] == "fanout" -> fanOutReply(parts[1], parts[2], query, counts)
            parts.size == 3 && parts[0] == "events" -> eventsReply(parts[1], parts[2])
            else -> null
        }
    } catch (rejection: Rejection) {
        problem(400, "Bad Request", rejection.message.orEmpty())
    }
}

private fun userPageReply(id: String, query: Query, counts: Counts): Reply {
    val number = whole("id", id, 1..1_000_000)
    val millis = whole("ms", query["ms"] ?: "1000", 0..60_000)
    if (query["from"] !in setOf(null, "upstream")) throw Rejection("from must be upstream, or be left out")
    if (query["from"] == "upstream") counts.call(2, atOnce = 2)
    Thread.sleep(millis.toLong())
    return Reply(200, "application/json", userPage(number))
}

private fun fanOutReply(strategy: String, ms: String, query: Query, counts: Counts): Reply {
    if (strategy !in strategies) throw Rejection("strategy must be one of ${strategies.joinToString()}")
    val millis = whole("ms", ms, 0..60_000)
    val calls = whole("calls", query["calls"] ?: "10", 1..100)
    val threads = whole("n", query["n"] ?: "10", 1..256)
    val atATime = when (strategy) {
        "sequential" -> 1
        "webclient", "webclient-coroutine", "virtual" -> calls
        else -> threads
    }
    counts.call(calls, atATime)
    Thread.sleep(millis.toLong() * ((calls + atATime - 1) / atATime))
    return text(results(calls))
}

private fun eventsReply(ms: String, count: String): Reply {
    val millis = whole("ms", ms, 0..60_000)
    val events = List(whole("count", count, 1..10_000)) { "data:$it\n\n" }
    val text = events.joinToString("")
    return Reply(200, "text/event-stream", text, pieces = events.first().length, pauseMillis = millis.toLong())
}

private fun whole(name: String, text: String, range: IntRange): Int =
    text.takeIf { it.all(Char::isDigit) }?.toIntOrNull()?.takeIf { it in range }
        ?: throw Rejection("$name must be a whole number from ${range.first} to ${range.last}")

private typealias Query = Map<String, String>

private class Rejection(message: String) : RuntimeException(message)
