package threadgauge.target

/**
 * Number of TCP connections that [pids] have opened and not closed, by `host:port` of the other end, whatever state
 * they are in: a client that has said that it sends no more still holds one. A connection at a port on which its
 * process listens was opened by the other end. Only Linux shows them without a program of its own; empty elsewhere, and
 * for processes of another user.
 */
internal fun outgoingConnections(pids: Collection<Long>): Map<String, Int> =
    pids.flatMap { pid ->
        // To read a long table takes a while, in which connections are opened and closed.
        val before = inodesOf(pid)
        val around = socketsAround("$pid")
        outgoing(around, before + inodesOf(pid))
    }.groupingBy { it }.eachCount()

/** The other ends of the connections among [around] that a process with the sockets [own] has opened. */
internal fun outgoing(around: List<SocketRow>, own: Set<Long>): List<String> {
    val sockets = around.filter { it.inode in own }
    val served = sockets.filter { it.listens }.mapTo(HashSet()) { it.local.port }
    return sockets.filter { it.remote.port != 0 && it.local.port !in served }
        .map { "${it.remote.host}:${it.remote.port}" }
}
