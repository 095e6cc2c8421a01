package threadgauge.load.http.clause

/** Field lines, and whether the connection stays open, by section of RFC 9112, 9110 or 2616. */
internal val FIELD_CLAUSES = listOf(
    Clause(
        "9112 5: blanks around a value are no part of it", "${OK}Content-Length: \t 5 \t \r\n$HELLO", "200 hello",
    ),
    Clause("9112 5: none need be there", "${OK}Content-Length:5\r\n$HELLO", "200 hello"),
    Clause("9112 5: a value may be empty", "${OK}X:\r\n$LENGTH$HELLO", "200 hello"),
    Clause("9110 5.1: names are alike in any case", "${OK}cOnTeNt-LeNgTh: 5\r\n$HELLO", "200 hello"),
    Clause(
        "9112 5.1: no blank stands before the colon", "${OK}Content-Length : 5\r\n$HELLO", "200 hello",
        java = REFUSED, why = "a server must not send it, and a proxy takes it away; so do curl and we",
    ),
    Clause(
        "9112 5: a field has a colon", "${OK}what is this\r\n$LENGTH$HELLO", REFUSED,
        java = "200 hello", why = "Java passes it over",
    ),
    Clause(
        "9112 5: and a name before it", "$OK: y\r\n$LENGTH$HELLO", REFUSED,
        java = "200 hello", curl = "200 hello", why = "both pass it over",
    ),
    Clause(
        "9110 5.6.2: a name has no blank", "${OK}X Y: z\r\n$LENGTH$HELLO", REFUSED,
        curl = "200 hello", why = "curl is lenient",
    ),
    Clause(
        "9110 5.6.2: a name is ASCII", "${OK}X\u00e9: z\r\n$LENGTH$HELLO", REFUSED,
        curl = "200 hello", why = "curl is lenient",
    ),
    Clause("9110 5.5: a value may hold bytes beyond ASCII", "${OK}X: \u00e9\r\n$LENGTH$HELLO", "200 hello"),
    Clause("9112 5.2: a value may be folded", "${OK}X: a\r\n b\r\n$LENGTH$HELLO", "200 hello"),
    Clause(
        "9112 5.2: a length may be folded", "${OK}Content-Length:\r\n 5\r\n$HELLO", "200 hello",
        curl = REFUSED, why = "curl reads each line by itself",
    ),
    Clause(
        "9112 5.2: a coding may be folded", "${OK}Transfer-Encoding:\r\n\tchunked\r\n$HELLO_CHUNKED", "200 hello",
        curl = "200 5\r\nhello\r\n0", why = "curl reads each line by itself",
    ),
    Clause("9112 5.2: more than once", "${OK}X: a\r\n b\r\n  c\r\n$LENGTH$HELLO", "200 hello"),
    Clause("9112 5.2: by a line of blanks", "${OK}X: a\r\n \t \r\n$LENGTH$HELLO", "200 hello"),
    Clause("9112 9.3: a connection stays open", "$OK$LENGTH$HELLO", "200 hello"),
    Clause("9112 9.6: unless it says close", "$OK${LENGTH}Connection: close\r\n$HELLO", "200 hello$CLOSES"),
    Clause("9112 9.6: in a list", "$OK${LENGTH}Connection: Keep-Alive, Close\r\n$HELLO", "200 hello$CLOSES"),
    Clause(
        "9112 9.6: on several lines",
        "$OK${LENGTH}Connection: close\r\nConnection: keep-alive\r\n$HELLO", "200 hello$CLOSES",
    ),
    Clause("9110 7.6.1: a longer word is another word", "$OK${LENGTH}Connection: closed\r\n$HELLO", "200 hello"),
    Clause("9112 9.3: that of HTTP/1.0 closes", "HTTP/1.0 200 OK\r\n$LENGTH$HELLO", "200 hello$CLOSES"),
    Clause(
        "9112 9.3: unless it says keep-alive",
        "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n$LENGTH$HELLO", "200 hello",
    ),
)
