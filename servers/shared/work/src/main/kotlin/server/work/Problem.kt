package threadgauge.server.work

/** A problem document (RFC 9457), the same bytes on all stacks. Its media type is `application/problem+json`. */
data class Problem(val status: Int, val title: String, val detail: String) {
    val json: String = json(mapOf("type" to "about:blank", "title" to title, "status" to status, "detail" to detail))

    companion object {
        val notFound = Problem(404, "Not Found", "nothing is served at this path")

        /** For endpoints that only answer to `GET`. */
        val methodNotAllowed = methodNotAllowed("GET")

        /** The body has a kind that this path does not read. */
        val unsupportedMediaType = Problem(415, "Unsupported Media Type", "the body must be ${Customers.KINDS}")

        /** The client accepts no kind that this path writes. */
        val notAcceptable = Problem(406, "Not Acceptable", "the answer can be ${Customers.KINDS}")

        val contentTooLarge =
            Problem(413, "Content Too Large", "the body must be at most ${Customers.MAX_BODY_BYTES} bytes long")

        /** Credentials are missing or wrong. Goes with a header `WWW-Authenticate`. */
        val unauthorized = Problem(401, "Unauthorized", "this request needs valid credentials")

        /** For [KnownFailure]. */
        val conflict = Problem(409, "Conflict", "a known failure")

        /** For any other exception of a handler, which clients must not see. */
        val unexpected = Problem(500, "Internal Server Error", "an unexpected failure")

        /** The backend failed, refused the connection or timed out. */
        val badGateway = Problem(502, "Bad Gateway", "the upstream failed")

        /**
         * For a request that no handler sees, by the status that the engine chose. Null for other statuses: those are
         * errors of the server.
         */
        fun ofUnread(status: Int): Problem? = unread[status]

        private val unread = listOf(
            Problem(400, "Bad Request", "the request cannot be read"),
            Problem(414, "URI Too Long", "the request target is too long"),
            Problem(431, "Request Header Fields Too Large", "the headers are too long"),
        ).associateBy { it.status }

        /** [allowed] is the method that the path accepts. The header `Allow` must name it too. */
        fun methodNotAllowed(allowed: String) = Problem(405, "Method Not Allowed", "this path accepts only $allowed")

        fun of(request: BadRequest) = Problem(400, "Bad Request", request.message.orEmpty())
    }
}
