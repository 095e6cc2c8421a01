package threadgauge.load.http

import threadgauge.model.Request

/** The bytes of [request] to the server at [authority] (`host:port`), made once and sent many times. */
fun requestBytes(request: Request, authority: String): ByteArray =
    "${request.method} ${request.path} HTTP/1.1\r\nHost: $authority\r\nUser-Agent: threadgauge\r\nAccept: */*\r\n\r\n"
        .toByteArray(Charsets.ISO_8859_1)
