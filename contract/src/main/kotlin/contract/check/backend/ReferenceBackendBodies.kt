package threadgauge.contract.check.backend

import threadgauge.contract.check.work.MAX_MILLIS

/**
 * The body of a correct answer of an endpoint that calls a backend. Null for other endpoints, and where the status is
 * not 200.
 */
internal fun expectedBackendBody(path: String): String? {
    val parts = path.substringBefore('?').split('/').drop(1)
    val query = Query.of(path) ?: return null
    return when {
        parts.size == 3 && parts.take(2) == listOf("mobile", "users") -> userPageOf(parts[2], query)
        parts.size == 3 && parts[0] == "fanout" -> fanOutOf(parts[1], parts[2], query)
        else -> null
    }
}

private fun userPageOf(id: String, query: Query): String? {
    if (number(id) !in 1..MAX_ID || query.number("ms", 0) !in 0..MAX_MILLIS) return null
    if (query["from"] !in setOf(null, "upstream")) return null
    return userPage(id.toInt())
}

private fun fanOutOf(strategy: String, ms: String, query: Query): String? {
    val calls = query.number("calls", DEFAULT_CALLS)
    if (strategy !in strategies || number(ms) !in 0..MAX_MILLIS) return null
    if (calls !in 1..MAX_CALLS || query.number("n", 1) !in 1..MAX_THREADS) return null
    return results(checkNotNull(calls))
}

internal fun userPage(id: Int) = """{"user":"result$id","orders":"result$id"}"""

internal fun results(calls: Int) = (1..calls).joinToString(",") { "result$it" }

private class Query(private val values: Map<String, String>) {
    operator fun get(name: String): String? = values[name]

    /** Null where it is no number. */
    fun number(name: String, default: Int): Int? = values[name]?.let { number(it) ?: return null } ?: default

    companion object {
        /** Null where a parameter is given twice. */
        fun of(path: String): Query? {
            val pairs = path.substringAfter('?', "").split('&').filter { it.isNotEmpty() }
            val values = pairs.associate { it.substringBefore('=') to it.substringAfter('=', "") }
            return Query(values).takeIf { values.size == pairs.size }
        }
    }
}

private fun number(text: String): Int? =
    text.takeIf { it.isNotEmpty() && it.all { digit -> digit in '0'..'9' } }?.toIntOrNull()

internal const val MAX_ID = 1_000_000
internal const val MAX_CALLS = 100
internal const val MAX_THREADS = 256
private const val DEFAULT_CALLS = 10
