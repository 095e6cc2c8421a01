package threadgauge.contract.testkit.process

import java.net.Socket

/** Sends the only request of a connection, and returns without waiting for the answer. */
internal fun Socket.sendGet(path: String) =
    getOutputStream().write("GET $path HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n".toByteArray())

/** Waits for the first line of the answer. True where its status is 200. */
internal fun Socket.isServed(): Boolean =
    getInputStream().bufferedReader().readLine().orEmpty().startsWith("HTTP/1.1 200")
