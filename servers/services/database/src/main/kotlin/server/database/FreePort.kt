package threadgauge.server.database

import threadgauge.contract.freePort

/** [port], or where it is 0, a free one that is reserved until this process ends. */
internal fun chosenPort(port: Int): Int = if (port != 0) port else freePort()
