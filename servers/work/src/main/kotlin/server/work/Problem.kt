package threadgauge.server.work

/**
 * What a client is told when a request cannot be served, as RFC 9457 has it. The same bytes on all stacks; to be sent
 * as `application/problem+json`.
 */
data class Problem(val status: Int, val title: String, val detail: String) {
    val json: String = json(mapOf("type" to "about:blank", "title" to title, "status" to status, "detail" to detail))

    companion object {
        val notFound = Problem(404, "Not Found", "nothing is served at this path")

        /** Every endpoint is read only. */
        val methodNotAllowed = Problem(405, "Method Not Allowed", "this path answers to GET")

        /** Whoever asks has not said who it is, or not rightly. Goes with a header `WWW-Authenticate`. */
        val unauthorized = Problem(401, "Unauthorized", "this server answers only to those it knows")

        /** The answer to [KnownFailure]. */
        val conflict = Problem(409, "Conflict", "a failure that was foreseen")

        /** The answer to whatever else a handler throws. What it was, the client is not told. */
        val unexpected = Problem(500, "Internal Server Error", "a failure that nobody foresaw")

        /** The backend that this server asked failed, was not there, or took too long. */
        val badGateway = Problem(502, "Bad Gateway", "the upstream did not answer as it should")

        fun of(mistake: BadRequest) = Problem(400, "Bad Request", mistake.message.orEmpty())
    }
}
