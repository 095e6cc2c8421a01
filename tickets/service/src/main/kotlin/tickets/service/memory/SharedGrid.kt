package threadgauge.tickets.service.memory

import com.hazelcast.config.InvalidConfigurationException
import com.hazelcast.core.HazelcastException
import threadgauge.tickets.service.store.StartupError

/**
 * The grid of all services of the [sale], joined by whoever first asks for its gate. Services with other books are kept out of it by its
 * name, for their events have the same numbers. Used by the thread that starts the service, and closed by the one that ends it.
 */
class SharedGrid(private val members: List<String>, private val sale: String) : AutoCloseable {
    private var opened: GridGate? = null

    val gate: GridGate by lazy {
        try {
            GridGate(sale, members).also { opened = it }
        } catch (refused: HazelcastException) {
            throw unusable(refused)
        } catch (refused: InvalidConfigurationException) {
            throw unusable(refused)
        }
    }

    override fun close() {
        opened?.close()
    }

    private fun unusable(refused: RuntimeException) = StartupError(
        "the grid of ${members.joinToString()} cannot be joined: ${refused.message}", "Look at tickets.grid.members.", refused,
    )
}
