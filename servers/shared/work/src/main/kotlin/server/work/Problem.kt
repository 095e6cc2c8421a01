package threadgauge.server.work

/**
 * What a client is told when a request cannot be served, as RFC 9457 has it. The same bytes on all stacks; to be sent
 * as `application/problem+json`.
 */
data class Problem(val status: Int, val title: String, val detail: String) {
    val json: String = json(mapOf("type" to "about:blank", "title" to title, "status" to status, "detail" to detail))

    companion object {
        val notFound = Problem(404, "Not Found", "nothing is served at this path")

        /** Of every endpoint that is read only. */
        val methodNotAllowed = methodNotAllowed("GET")

        /** The body is of no kind that this path reads. */
        val unsupportedMediaType = Problem(415, "Unsupported Media Type", "the body must be ${Customers.KINDS}")

        /** The client takes no kind of answer that this path writes. */
        val notAcceptable = Problem(406, "Not Acceptable", "the answer can be ${Customers.KINDS}")

        val contentTooLarge = Problem(413, "Content Too Large", "the body must be at most ${Customers.MAX_BODY_BYTES} bytes long")

        /** Whoever asks has not said who it is, or not rightly. Goes with a header `WWW-Authenticate`. */
        val unauthorized = Problem(401, "Unauthorized", "this request needs valid credentials")

        /** The answer to [KnownFailure]. */
        val conflict = Problem(409, "Conflict", "a known failure")

        /** The answer to whatever else a handler throws. What it was, the client is not told. */
        val unexpected = Problem(500, "Internal Server Error", "an unexpected failure")

        /** The backend that this server asked failed, was not there, or took too long. */
        val badGateway = Problem(502, "Bad Gateway", "the upstream failed")

        /**
         * What an engine says of a request that no handler sees, by the status that it chose. Null where it is another than those of
         * requests that cannot be read, for which nobody is to blame but the server.
         */
        fun ofUnread(status: Int): Problem? = unread[status]

        private val unread = listOf(
            Problem(400, "Bad Request", "the request cannot be read"),
            Problem(414, "URI Too Long", "the request target is too long"),
            Problem(431, "Request Header Fields Too Large", "the headers are too long"),
        ).associateBy { it.status }

        /** [allowed] is the method that the path answers to, which the header `Allow` must name too. */
        fun methodNotAllowed(allowed: String) = Problem(405, "Method Not Allowed", "this path accepts only $allowed")

        fun of(mistake: BadRequest) = Problem(400, "Bad Request", mistake.message.orEmpty())
    }
}
