package threadgauge.server.upstream

import io.netty.handler.codec.http.QueryStringDecoder

/** What a request wants of the upstream. */
internal sealed interface Asked {
    /** `GET /test/{ms}/{index}`: `result{index}` after so many milliseconds. */
    data class Result(val millis: Long, val index: String) : Asked

    /** `POST /behave?errors=10&stalls=0&slow=5`: from now on so many per cent of the requests fail, stall or trickle. */
    data class Behave(val errors: Int, val stalls: Int, val slow: Int) : Asked

    /** `GET /stats`: how many requests there were and how many wait. */
    data object Stats : Asked

    /** Something else; [why] says what was expected. */
    data class Wrong(val status: Int, val why: String) : Asked
}

internal fun read(method: String, uri: String): Asked {
    val query = runCatching { QueryStringDecoder(uri).let { it.path() to it.parameters() } }.getOrNull()
        ?: return Asked.Wrong(400, "the path cannot be read")
    val (path, parameters) = query
    val parts = path.removePrefix("/").split('/')
    return when {
        method == "GET" && path == "/stats" -> Asked.Stats
        method == "POST" && path == "/behave" -> behave(parameters)
        method == "GET" && parts.size == 3 && parts.first() == "test" -> result(parts[1], parts[2])
        else -> Asked.Wrong(404, "there are GET /test/{ms}/{index}, GET /stats and POST /behave?errors=&stalls=&slow=")
    }
}

private fun result(millis: String, index: String): Asked {
    val wait = millis.toIntOrNull()?.takeIf { it in 0..MOST_MILLIS } ?: return Asked.Wrong(400, "ms must be 0 to $MOST_MILLIS")
    if (!INDEX.matches(index)) return Asked.Wrong(400, "index must be 1 to 20 letters and digits")
    return Asked.Result(wait.toLong(), index)
}

private fun behave(parameters: Map<String, List<String>>): Asked {
    val known = listOf("errors", "stalls", "slow")
    val shares = known.map { name -> (parameters[name]?.lastOrNull() ?: "0").toIntOrNull() ?: -1 }
    val isWrong = parameters.keys.any { it !in known } || shares.any { it !in 0..100 } || shares.sum() > 100
    if (isWrong) return Asked.Wrong(400, "errors, stalls and slow must be whole per cents, together 100 at most")
    return Asked.Behave(shares[0], shares[1], shares[2])
}

private val INDEX = Regex("[A-Za-z0-9]{1,20}")
private const val MOST_MILLIS = 60_000
