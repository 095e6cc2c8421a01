package threadgauge.serve

import java.net.URLDecoder

/**
 * The steps of a path, decoded: of `/runs/a%20b/live` they are `runs`, `a b` and `live`. Null where one is malformed.
 */
internal fun stepsOf(rawPath: String): List<String>? = try {
    rawPath.split('/').filter { it.isNotEmpty() }
        // Only in a query does a plus mean a space.
        .map { URLDecoder.decode(it.replace("+", "%2B"), Charsets.UTF_8) }
} catch (_: IllegalArgumentException) {
    null
}

/** The part of an address behind the question mark. */
internal class Query(rawQuery: String?) {
    private val pairs: List<Pair<String, String>> = rawQuery.orEmpty().split('&').filter { it.isNotEmpty() }
        .take(MAX_PARTS).mapNotNull { part ->
            try {
                decoded(part.substringBefore('=')) to decoded(part.substringAfter('=', ""))
            } catch (_: IllegalArgumentException) {
                null
            }
        }

    /** The first value of this name; null where there is none. */
    operator fun get(name: String): String? = all(name).firstOrNull()

    fun all(name: String): List<String> = pairs.filter { it.first == name }.map { it.second }

    private fun decoded(text: String) = URLDecoder.decode(text, Charsets.UTF_8)

    private companion object {
        const val MAX_PARTS = 50
    }
}
