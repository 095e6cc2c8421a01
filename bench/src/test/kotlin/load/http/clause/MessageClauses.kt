package threadgauge.load.http.clause

/** Line ends and the status line, by section of RFC 9112, 9110 or 2616. */
internal val MESSAGE_CLAUSES = listOf(
    Clause("9112 2.2: a bare line feed ends a line", "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello", "200 hello"),
    Clause("9112 2.2: a bare return in a value is a blank", "${OK}X: a\rb\r\n$LENGTH$HELLO", "200 hello"),
    Clause("9112 2.2: blanks between status line and first field", "$OK X: y\r\n$LENGTH$HELLO", REFUSED),
    Clause("9112 2.2: an empty line before the status line", "\r\n$OK$LENGTH$HELLO", REFUSED),
    Clause(
        "9112 2.3: a later minor version is read as ours", "HTTP/1.2 200 OK\r\n$LENGTH$HELLO", "200 hello",
        curl = REFUSED, why = "RFC 9110, 2.5, asks for it; curl knows 1.0 and 1.1",
    ),
    Clause(
        "9112 2.3: a later major version is another protocol", "HTTP/2.0 200 OK\r\n$LENGTH$HELLO", REFUSED,
        curl = "200 hello", why = "curl goes on with what it finds",
    ),
    Clause(
        "9112 2.3: the name of the protocol is in capitals", "http/1.1 200 OK\r\n$LENGTH$HELLO", REFUSED,
        curl = "200 hello", why = "curl is lenient",
    ),
    Clause(
        "9112 2.3: a version is two digits", "HTTP/1.x 200 OK\r\n$LENGTH$HELLO", REFUSED,
        java = "200 hello", why = "Java looks at the first digit alone",
    ),
    Clause("9112 4: the reason may be empty", "HTTP/1.1 200 \r\n$LENGTH$HELLO", "200 hello"),
    Clause("9112 4: servers leave out the blank as well", "HTTP/1.1 200\r\n$LENGTH$HELLO", "200 hello"),
    Clause(
        "9112 4: a reason may hold bytes beyond ASCII",
        "HTTP/1.1 200 D\u00e9j\u00e0 vu\r\n$LENGTH$HELLO", "200 hello",
    ),
    Clause("9112 4: a status has no fewer than three digits", "HTTP/1.1 20 OK\r\n$LENGTH$HELLO", REFUSED),
    Clause(
        "9112 4: nor more", "HTTP/1.1 2000 OK\r\n$LENGTH$HELLO", REFUSED,
        java = "200 hello", why = "Java reads the first three",
    ),
    Clause("9112 4: a status is digits", "HTTP/1.1 2x0 OK\r\n$LENGTH$HELLO", REFUSED),
    Clause(
        "9112 4: one blank stands before it", "HTTP/1.1  200 OK\r\n$LENGTH$HELLO", REFUSED,
        curl = "200 hello", why = "curl is lenient, as section 4 allows",
    ),
    Clause("9110 15: an unknown status is of its class", "HTTP/1.1 299 Fine\r\n$LENGTH$HELLO", "299 hello"),
    Clause("9110 15: beyond 599 it is an error of the server", "HTTP/1.1 799 Odd\r\n$LENGTH$HELLO", "799 hello"),
    Clause(
        "9110 15: below 100 as well", "HTTP/1.1 099 Odd\r\n$LENGTH$HELLO", "99 hello",
        java = REFUSED, curl = REFUSED, why = "a client should read it as 5xx; both refuse it",
    ),
)
