package threadgauge.server.work

/**
 * What servers do besides their work. Each feature is switched on alone by an argument `feature.<name>=true`. The
 * names, headers and origins here are equal on all stacks. TLS and HTTP/2 are missing, because frameworks have
 * arguments of their own for them.
 */
object Features {
    /** Every answer carries [SERVED_BY]. */
    const val DEFAULT_HEADERS = "feature.default-headers"

    /** Pages from [ORIGIN] may read the answers. */
    const val CORS = "feature.cors"

    /** Code around every call: it measures the time, and adds [INTERCEPTED] to the answer. */
    const val INTERCEPTOR = "feature.interceptor"

    /** Answers of at least [MIN_GZIP_BYTES] bytes are compressed where the client accepts it. */
    const val GZIP = "feature.gzip"

    /** One line in the log for every call, with method, path and status. */
    const val CALL_LOGGING = "feature.call-logging"

    /** A Micrometer timer records every call, by path, method and status. */
    const val REQUEST_TIMERS = "feature.request-timers"

    /** Every call has a session in memory, which a cookie identifies. */
    const val SESSIONS = "feature.sessions"

    /** Requests must carry user and password. */
    const val BASIC = "feature.basic"

    /** Requests must carry a token like [Credentials.TOKEN]. */
    const val JWT = "feature.jwt"

    /** Requests must carry the cookie of a session that began with user and password at [LOGIN]. */
    const val SESSION_LOGIN = "feature.session-login"

    /** HTML pages from a template, at `/page/{n}`. */
    const val TEMPLATES = "feature.templates"

    /** Exceptions at `/fail/known` and `/fail/unexpected` are answered by their type. */
    const val ERROR_PAGES = "feature.error-pages"

    /** Plain HTTP is redirected to HTTPS. */
    const val HTTPS_REDIRECT = "feature.https-redirect"

    const val SERVED_BY = "X-Served-By"
    const val SERVED_BY_VALUE = "threadgauge"
    const val ORIGIN = "https://example.org"
    const val INTERCEPTED = "X-Intercepted"
    const val MIN_GZIP_BYTES = 2048L

    /** Attribute of a session: when it began, in milliseconds of the epoch. */
    const val SINCE = "since"
    const val LOGIN = "/login"
}
