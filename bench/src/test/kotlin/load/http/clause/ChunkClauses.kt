package threadgauge.load.http.clause

/** Chunks, by section of RFC 9112, 9110 or 2616. */
internal val CHUNK_CLAUSES = listOf(
    Clause("9112 7.1: sizes are hexadecimal", "$OK$CHUNKED\r\n0A\r\nhellohello\r\n0\r\n\r\n", "200 hellohello"),
    Clause("9112 7.1: in any case", "$OK$CHUNKED\r\na\r\nhellohello\r\n0\r\n\r\n", "200 hellohello"),
    Clause(
        "9112 7.1: with zeros before", "$OK$CHUNKED\r\n00000000000000000005\r\nhello\r\n000\r\n\r\n", "200 hello",
        curl = REFUSED, why = "curl reads sixteen digits at most; the RFC sets no limit",
    ),
    Clause("9112 7.1: several chunks", "$OK$CHUNKED\r\n1\r\nh\r\n4\r\nello\r\n0\r\n\r\n", "200 hello"),
    Clause(
        "9112 7.1.1: extensions are passed over", "$OK$CHUNKED\r\n5;x=y;z\r\nhello\r\n0;last\r\n\r\n", "200 hello",
    ),
    Clause("9112 7.1.1: quoted ones, too", "$OK$CHUNKED\r\n5;x=\"a;b\"\r\nhello\r\n0\r\n\r\n", "200 hello"),
    Clause("9112 7.1.1: with blanks around", "$OK$CHUNKED\r\n5 ; x = y\r\nhello\r\n0\r\n\r\n", "200 hello"),
    Clause("9112 7.1: servers pad sizes with blanks", "$OK$CHUNKED\r\n5  \r\nhello\r\n0\r\n\r\n", "200 hello"),
    Clause(
        "9112 7.1.1: an extension begins with a semicolon", "$OK$CHUNKED\r\n5 x\r\nhello\r\n0\r\n\r\n", REFUSED,
        java = "200 hello", curl = "200 hello", why = "both are lenient; where a size ends must be clear",
    ),
    Clause(
        "9112 7.1.2: trailers are passed over",
        "$OK$CHUNKED\r\n5\r\nhello\r\n0\r\nX-Sum: 1\r\nX: y\r\n\r\n", "200 hello",
    ),
    Clause(
        "9110 6.5.1: they say nothing about the message",
        "$OK$CHUNKED\r\n5\r\nhello\r\n0\r\nContent-Length: 9\r\n\r\n", "200 hello",
    ),
    Clause(
        "9112 7.1.2: a trailer may be folded", "$OK$CHUNKED\r\n5\r\nhello\r\n0\r\nX: y\r\n z\r\n\r\n", "200 hello",
    ),
    Clause(
        "9112 7.1: a size there must be", "$OK$CHUNKED\r\n\r\nhello\r\n0\r\n\r\n", REFUSED,
        java = "200", why = "Java reads it as the last chunk",
    ),
    Clause(
        "9112 7.1: not in another notation", "$OK$CHUNKED\r\n0x5\r\nhello\r\n0\r\n\r\n", REFUSED,
        java = "200", why = "Java reads it as the last chunk",
    ),
    Clause("9112 7.1: without a sign", "$OK$CHUNKED\r\n-5\r\nhello\r\n0\r\n\r\n", REFUSED),
    Clause(
        "9112 7.1: a size that no number holds", "$OK$CHUNKED\r\nFFFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n", REFUSED,
    ),
    Clause(
        "9112 7.1: data is as long as it says", "$OK$CHUNKED\r\n3\r\nhello\r\n0\r\n\r\n", REFUSED,
        java = "200 hel", why = "Java skips what should be the line end, and takes the rest for a size",
    ),
    Clause("9112 7.1: a line end stands behind it", "$OK$CHUNKED\r\n5\r\nhello0\r\n\r\n", REFUSED),
    Clause(
        "9112 2.2: a bare line feed ends these lines, too", "$OK$CHUNKED\r\n5\nhello\n0\n\n", "200 hello",
        java = REFUSED, why = "Java wants the return here, but not in a head",
    ),
    Clause("9112 8: without a last chunk", "$OK$CHUNKED\r\n5\r\nhello\r\n", CUT),
    Clause("9112 8: without the end of the trailers", "$OK$CHUNKED\r\n5\r\nhello\r\n0\r\n", CUT),
)
