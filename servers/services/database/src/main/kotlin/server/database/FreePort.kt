package threadgauge.server.database

import java.net.InetAddress
import java.net.ServerSocket

/** [port], or a free one if it is 0. */
internal fun chosenPort(port: Int): Int =
    if (port != 0) port else ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { it.localPort }
