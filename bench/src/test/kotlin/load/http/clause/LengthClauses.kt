package threadgauge.load.http.clause

/** Lengths of bodies, by section of RFC 9112, 9110 or 2616. */
internal val LENGTH_CLAUSES = listOf(
    Clause("9112 6.3: a body may be empty", "${OK}Content-Length: 0\r\n\r\n", "200"),
    Clause(
        "9112 6.3: equal lengths in a list", "${OK}Content-Length: 5, 5\r\n$HELLO", "200 hello",
        java = REFUSED, why = "Java reads no list, which the RFC leaves to a client",
    ),
    Clause("9112 6.3: equal lengths on several lines", "$OK$LENGTH$LENGTH$HELLO", "200 hello"),
    Clause(
        "9110 5.6.1: empty elements of a list", "${OK}Content-Length: ,5,\r\n$HELLO", "200 hello",
        java = REFUSED, curl = REFUSED, why = "both read no such list",
    ),
    Clause(
        "9112 6.3: unequal lengths in a list", "${OK}Content-Length: 5, 6\r\n$HELLO", REFUSED,
        curl = "200 hello", why = "curl reads the first, where the RFC sees an error that cannot be mended",
    ),
    Clause(
        "9112 6.3: unequal lengths on several lines", "$OK${LENGTH}Content-Length: 6\r\n$HELLO", REFUSED,
        java = "200 hello", why = "Java reads the first, where the RFC sees an error that cannot be mended",
    ),
    Clause(
        "9110 8.6: no sign", "${OK}Content-Length: +5\r\n$HELLO", REFUSED,
        java = "200 hello", curl = "200 hello", why = "both are lenient",
    ),
    Clause("9110 8.6: nor a negative one", "${OK}Content-Length: -5\r\n$HELLO", REFUSED),
    Clause(
        "9110 8.6: digits alone", "${OK}Content-Length: 5a\r\n$HELLO", REFUSED,
        curl = "200 hello", why = "curl reads up to the first letter",
    ),
    Clause("9110 8.6: not none", "${OK}Content-Length:\r\n$HELLO", REFUSED),
    Clause("9110 8.6: zeros before it", "${OK}Content-Length: 000000000000000000000005\r\n$HELLO", "200 hello"),
    Clause(
        "9110 8.6: a length that no number holds", "${OK}Content-Length: 99999999999999999999\r\n$HELLO", REFUSED,
        curl = "200 hello", why = "curl reads until the connection ends",
    ),
    Clause("9112 8: less than it says", "${OK}Content-Length: 9\r\n$HELLO", CUT),
    Clause("9112 6.3: without a length it ends with the connection", "$OK$HELLO", "200 hello$CLOSES"),
    Clause("9112 8: a head without its end", "$OK$LENGTH", CUT),
    Clause(
        "9112 6.3: chunks win over a length", "$OK${CHUNKED}Content-Length: 3\r\n$HELLO_CHUNKED", "200 hello",
        java = "200 5", why = "Java lets the length win, against the RFC",
    ),
    Clause(
        "9112 6.3: also over what is no length", "$OK${CHUNKED}Content-Length: 5, 6\r\n$HELLO_CHUNKED", "200 hello",
        java = REFUSED, why = "Java reads the length first",
    ),
    Clause(
        "9112 6.1: a coding is named in any case", "${OK}Transfer-Encoding: Chunked\r\n$HELLO_CHUNKED", "200 hello",
    ),
    Clause(
        "9112 6.1: codings are a list", "${OK}Transfer-Encoding: , chunked\r\n$HELLO_CHUNKED", "200 hello",
        java = "200 5\r\nhello\r\n0", why = "Java reads no list and takes the chunks for a body",
    ),
    Clause(
        "9112 6.1: of which the last decides",
        "${OK}Transfer-Encoding: gzip, chunked\r\n$HELLO_CHUNKED", "200 hello",
        java = "200 5\r\nhello\r\n0", curl = REFUSED,
        why = "Java reads no list; curl refuses what it did not ask for. The framing is clear",
    ),
    Clause(
        "9112 6.1: on several lines", "${OK}Transfer-Encoding: gzip\r\n$CHUNKED$HELLO_CHUNKED", "200 hello",
        java = "200 5\r\nhello\r\n0", curl = REFUSED,
        why = "Java reads the first; curl refuses what it did not ask for. The framing is clear",
    ),
    Clause(
        "9112 6.3: chunked that is not the last ends with the connection",
        "${OK}Transfer-Encoding: chunked, gzip\r\n$HELLO", "200 hello$CLOSES",
        curl = REFUSED, why = "curl refuses what it did not ask for. The framing is clear",
    ),
    Clause(
        "9112 6.3: another coding does so too", "${OK}Transfer-Encoding: xchunked\r\n$HELLO", "200 hello$CLOSES",
        curl = REFUSED, why = "curl refuses what it did not ask for. The framing is clear",
    ),
    Clause("9112 6.1: chunked is named once", "$OK$CHUNKED$CHUNKED$HELLO_CHUNKED", "200 hello"),
    Clause("2616 3.6: identity is no coding", "${OK}Transfer-Encoding: identity\r\n$LENGTH$HELLO", "200 hello"),
    Clause(
        "9112 6.1: in HTTP/1.0 chunks end the connection",
        "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n$CHUNKED$HELLO_CHUNKED", "200 hello$CLOSES",
    ),
)
