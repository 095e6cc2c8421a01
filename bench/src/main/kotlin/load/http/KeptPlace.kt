package threadgauge.load.http

/** Where in a request a kept value stands: what it must not contain there depends on it. */
internal enum class KeptPlace {
    /** A path with query in its first line, headers after that. */
    HEAD,
    PATH,
    HEADER,
    BODY,
}
