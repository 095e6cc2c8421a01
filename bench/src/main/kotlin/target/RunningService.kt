package threadgauge.target

import threadgauge.model.request.isThisMachine

/**
 * A service that somebody else started. It is neither pinned nor stopped. Its processes are observed if they run on
 * this machine.
 */
class RunningService(override val host: String, override val port: Int) : Target {
    /** The IP address at which [host] answers; null before it is known, and where [host] is an address itself. */
    var address: String? = null

    override val endpoints get() = listOf(Endpoint(host, port, address))

    /** All processes that hold the listening socket: workers may share it. */
    private val listeners = if (isThisMachine(host)) listenersOn(port).map { it.pid }.distinct() else emptyList()
    override val pid get() = listeners.firstOrNull()
    override val log get() = null

    override fun family(): Set<Long> = listeners.flatMapTo(LinkedHashSet()) { pid ->
        val children =
            ProcessHandle.of(pid).map { it.descendants().map { child -> child.pid() }.toList() }.orElse(emptyList())
        listOf(pid) + children
    }

    override fun checkAlive() = Unit

    override fun close() = Unit
}
