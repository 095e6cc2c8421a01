package threadgauge.server.upstream

import io.netty.handler.codec.http.QueryStringDecoder

/** A parsed request. */
internal sealed interface UpstreamRequest {
    /** `GET /test/{ms}/{index}`: `result{index}` after [millis] milliseconds. */
    data class Result(val millis: Long, val index: String) : UpstreamRequest

    /**
     * `POST /behave?errors=10&stalls=0&slow=5`: from now on these percentages of the requests fail, stall or trickle.
     */
    data class Behave(val errors: Int, val stalls: Int, val slow: Int) : UpstreamRequest

    /** `GET /stats`: how many requests there were, how many wait, and how many waited at one time. */
    data object Stats : UpstreamRequest

    /** An invalid request. [why] names the valid ones. */
    data class Invalid(val status: Int, val why: String) : UpstreamRequest
}

internal fun parse(method: String, uri: String): UpstreamRequest {
    val query = runCatching { QueryStringDecoder(uri).let { it.path() to it.parameters() } }.getOrNull()
        ?: return UpstreamRequest.Invalid(400, "the path is malformed")
    val (path, parameters) = query
    val parts = path.removePrefix("/").split('/')
    return when {
        method == "GET" && path == "/stats" -> UpstreamRequest.Stats
        method == "POST" && path == "/behave" -> behave(parameters)
        method == "GET" && parts.size == 3 && parts.first() == "test" -> result(parts[1], parts[2])
        else -> UpstreamRequest.Invalid(404, "there are $REQUESTS")
    }
}

private fun result(millis: String, index: String): UpstreamRequest {
    val wait = millis.toIntOrNull()?.takeIf { it in 0..MAX_MILLIS }
        ?: return UpstreamRequest.Invalid(400, "ms must be 0 to $MAX_MILLIS")
    if (!INDEX.matches(index)) return UpstreamRequest.Invalid(400, "index must be 1 to 20 letters and digits")
    return UpstreamRequest.Result(wait.toLong(), index)
}

private fun behave(parameters: Map<String, List<String>>): UpstreamRequest {
    val known = listOf("errors", "stalls", "slow")
    val shares = known.map { name -> (parameters[name]?.lastOrNull() ?: "0").toIntOrNull() ?: -1 }
    val isInvalid = parameters.keys.any { it !in known } || shares.any { it !in 0..100 } || shares.sum() > 100
    if (isInvalid) {
        return UpstreamRequest.Invalid(400, "errors, stalls and slow must be whole percentages, together at most 100")
    }
    return UpstreamRequest.Behave(shares[0], shares[1], shares[2])
}

private const val REQUESTS = "GET /test/{ms}/{index}, GET /stats and POST /behave?errors=&stalls=&slow="
private val INDEX = Regex("[A-Za-z0-9]{1,20}")
private const val MAX_MILLIS = 60_000
