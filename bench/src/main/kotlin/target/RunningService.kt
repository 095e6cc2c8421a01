package threadgauge.target

import threadgauge.model.isThisMachine

/**
 * A service that somebody else started. It is neither pinned nor stopped; its process is looked at where that is on
 * this machine.
 */
class RunningService(override val host: String, override val port: Int) : Target {
    /** Where [host] was found to answer; null before, and where it is an address itself. */
    var address: String? = null

    override val endpoints get() = listOf(Endpoint(host, port, address))

    /** All that hold the listening socket: a service with workers shares it among them. */
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
