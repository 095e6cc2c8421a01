package threadgauge.tickets.service.memory

import com.hazelcast.config.InvalidConfigurationException
import com.hazelcast.core.HazelcastException
import threadgauge.tickets.service.StartupError

/**
 * The Hazelcast cluster of all services of the [sale]. Joins it at the first access to [gate]. The cluster has the name
 * of the sale, so services with another ledger, whose events have the same numbers, cannot join. Throws [StartupError]
 * if it cannot join. Used by the thread that starts the service, and closed by the one that ends it.
 */
class SharedGrid(private val members: List<String>, private val sale: String) : AutoCloseable {
    private var opened: GridGate? = null

    val gate: GridGate by lazy {
        try {
            GridGate(sale, members).also { opened = it }
        } catch (refused: HazelcastException) {
            throw startupError(refused)
        } catch (refused: InvalidConfigurationException) {
            throw startupError(refused)
        }
    }

    override fun close() {
        opened?.close()
    }

    private fun startupError(refused: RuntimeException) = StartupError(
        "the grid of ${members.joinToString()} cannot be joined: ${refused.message}",
        "Check tickets.grid.members.", refused,
    )
}
