package threadgauge.load.http.clause

private fun processing(times: Int) = "HTTP/1.1 102 Processing\r\n\r\n".repeat(times)

/** Interim answers, and answers without a body, by section of RFC 9112, 9110 or 2616. */
internal val INTERIM_CLAUSES = listOf(
    Clause("9110 15.2: 100 comes before the answer", "HTTP/1.1 100 Continue\r\n\r\n$OK$LENGTH$HELLO", "200 hello"),
    Clause(
        "9110 15.2: 103 has fields of its own",
        "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n$OK$LENGTH$HELLO", "200 hello",
    ),
    Clause(
        "9110 15.2: they do not describe the answer: length",
        "HTTP/1.1 103 Early Hints\r\nContent-Length: 9\r\n\r\n$OK$LENGTH$HELLO", "200 hello",
    ),
    Clause(
        "9110 15.2: they do not describe the answer: coding",
        "HTTP/1.1 103 Early Hints\r\n$CHUNKED\r\n$OK$LENGTH$HELLO", "200 hello",
    ),
    Clause(
        "9110 15.2: they do not describe the answer: connection",
        "HTTP/1.1 102 Processing\r\nConnection: close\r\n\r\n$OK$LENGTH$HELLO", "200 hello",
    ),
    Clause(
        "9110 15.2: one that is unknown is passed over", "HTTP/1.1 199 Odd\r\n\r\n$OK$LENGTH$HELLO", "200 hello",
    ),
    Clause(
        "9110 15.2: several may come",
        "${processing(3)}$OK$LENGTH$HELLO", "200 hello",
    ),
    Clause(
        "9110 15.2: however many",
        "${processing(20)}$OK$LENGTH$HELLO", "200 hello",
        java = REFUSED, why = "Java stops at eight unless told otherwise; our limit is that of the head",
    ),
    Clause("9110 15.2: without the answer they are none", "HTTP/1.1 100 Continue\r\n\r\n", CUT),
    Clause(
        "9110 15.2.2: 101 that was not asked for leaves HTTP",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", "101$CLOSES",
        java = REFUSED, curl = REFUSED, why = "the status is what a user should see; both see a broken connection",
    ),
    Clause("9112 6.3: 204 has no body", "HTTP/1.1 204 No Content\r\n\r\n", "204"),
    Clause(
        "9112 6.3: 204 has none whatever its length says", "HTTP/1.1 204 No Content\r\n$LENGTH\r\n", "204",
        java = REFUSED, why = "Java is strict with servers that must not send it",
    ),
    Clause(
        "9112 6.3: nor whatever its coding says", "HTTP/1.1 204 No Content\r\n$CHUNKED\r\n", "204",
        java = REFUSED, why = "Java is strict with servers that must not send it",
    ),
    Clause("9112 6.3: 304 has none whatever its length says", "HTTP/1.1 304 Not Modified\r\n$LENGTH\r\n", "304"),
    Clause(
        "9112 6.3: nor if that is no length", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5, 6\r\n\r\n", "304",
        java = REFUSED, why = "Java reads the length although there is no body",
    ),
    Clause("9110 15.3.6: 205 has an empty one", "HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n", "205"),
    Clause("9110 9.3.2: to HEAD there is none", "$OK$LENGTH\r\n", "200", method = "HEAD"),
    Clause("9110 9.3.2: to HEAD there is none, whatever its coding", "$OK$CHUNKED\r\n", "200", method = "HEAD"),
)
