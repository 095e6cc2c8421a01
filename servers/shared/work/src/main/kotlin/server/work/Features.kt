package threadgauge.server.work

/**
 * What servers do besides their work, each switched on alone by an argument `feature.<name>=true`. Here is what must be equal on all
 * stacks: names, headers and who may ask from elsewhere. TLS and HTTP/2 are not here: frameworks have arguments of their own for them.
 */
object Features {
    /** Every answer carries [SERVED_BY]. */
    const val DEFAULT_HEADERS = "feature.default-headers"

    /** A browser's page from [ORIGIN] may read the answers. */
    const val CORS = "feature.cors"

    /** Code around every call: it takes the time, and the answer carries [INTERCEPTED]. */
    const val INTERCEPTOR = "feature.interceptor"

    /** Answers of [MIN_GZIP_BYTES] bytes and more are compressed where the client accepts it. */
    const val GZIP = "feature.gzip"

    /** A line with method, path and status for every call. */
    const val CALL_LOGGING = "feature.call-logging"

    /** Every call is a record in one timer of Micrometer, by path, method and status. */
    const val REQUEST_TIMERS = "feature.request-timers"

    /** Every call has a session in memory, which a cookie names. */
    const val SESSIONS = "feature.sessions"

    /** Only who sends user and password with each request is served. */
    const val BASIC = "feature.basic"

    /** Only who sends a token like [Credentials.TOKEN] with each request is served. */
    const val JWT = "feature.jwt"

    /** Only who has sent user and password to [LOGIN] before, and comes with the cookie of that session, is served. */
    const val SESSION_LOGIN = "feature.session-login"

    /** Pages of HTML from a template, at `/page/{n}`. */
    const val TEMPLATES = "feature.templates"

    /** What handlers throw at `/fail/known` and `/fail/unexpected` is answered by its type. */
    const val ERROR_PAGES = "feature.error-pages"

    /** Who does not come by TLS is sent to the same place with TLS. */
    const val HTTPS_REDIRECT = "feature.https-redirect"

    const val SERVED_BY = "X-Served-By"
    const val SERVED_BY_VALUE = "threadgauge"
    const val ORIGIN = "https://example.org"
    const val INTERCEPTED = "X-Intercepted"
    const val MIN_GZIP_BYTES = 2048L

    /** What a session remembers: when it began, in milliseconds of the epoch. */
    const val SINCE = "since"
    const val LOGIN = "/login"
}
