package threadgauge.server.work

/**
 * What servers do besides their work, each switched on alone by an argument `feature.<name>=true`. Here is what must be equal on all
 * stacks: names, headers and who may ask from elsewhere.
 */
object Features {
    /** Every answer carries [SERVED_BY]. */
    const val DEFAULT_HEADERS = "feature.default-headers"

    /** A browser's page from [ORIGIN] may read the answers. */
    const val CORS = "feature.cors"

    /** Code around every call: it takes the time, and the answer carries [INTERCEPTED]. */
    const val INTERCEPTOR = "feature.interceptor"

    /** Answers of [GZIP_LEAST] bytes and more are compressed where the client accepts it. */
    const val GZIP = "feature.gzip"

    /** A line with method, path and status for every call. */
    const val CALL_LOGGING = "feature.call-logging"

    const val SERVED_BY = "X-Served-By"
    const val SERVED_BY_VALUE = "threadgauge"
    const val ORIGIN = "https://example.org"
    const val INTERCEPTED = "X-Intercepted"
    const val GZIP_LEAST = 2048L
}
