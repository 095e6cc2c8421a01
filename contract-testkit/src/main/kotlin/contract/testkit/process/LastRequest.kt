package threadgauge.contract.testkit.process

import java.net.Socket

/** Sends the only request of a connection, and waits for nothing. */
internal fun Socket.sendGet(path: String) =
    getOutputStream().write("GET $path HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n".toByteArray())

/** Whether it is answered with 200, once an answer begins. */
internal fun Socket.isServed(): Boolean = getInputStream().bufferedReader().readLine().orEmpty().startsWith("HTTP/1.1 200")
