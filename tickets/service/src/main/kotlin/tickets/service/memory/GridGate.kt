package threadgauge.tickets.service.memory

import com.hazelcast.config.Config
import com.hazelcast.core.Hazelcast
import com.hazelcast.core.HazelcastException
import com.hazelcast.core.HazelcastInstanceNotActiveException
import com.hazelcast.core.OperationTimeoutException
import com.hazelcast.map.EntryProcessor
import java.net.InetAddress
import kotlinx.coroutines.future.await
import threadgauge.tickets.gate.GateDecision
import threadgauge.tickets.gate.SeatGate
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.sale.SharedStoreUnavailable

/**
 * A count per event in a Hazelcast cluster formed by the services themselves. Each is a member of the cluster [name]
 * and looks for the others on the hosts [members]. A count lives on one member, with a copy on another. Each operation
 * runs where the count lives.
 */
class GridGate(name: String, members: List<String>) : SeatGate, AutoCloseable {
    private val member = Hazelcast.newHazelcastInstance(config(name, members))
    private val counts = member.getMap<Long, Int?>(COUNTS)

    override suspend fun enter(event: EventId, seats: Int): GateDecision =
        GateDecision.valueOf(execute(event, Enter(seats)))

    override suspend fun giveBack(event: EventId, seats: Int) {
        execute(event, GiveBack(seats))
    }

    override suspend fun correct(event: EventId, remaining: Int) {
        execute(event, Correct(remaining))
    }

    override fun close() = member.shutdown()

    private suspend fun <R> execute(event: EventId, processor: EntryProcessor<Long, Int?, R>): R = try {
        counts.submitToKey(event.number, processor).await()
    } catch (failed: HazelcastException) {
        throw SharedStoreUnavailable(failed)
    } catch (late: OperationTimeoutException) {
        throw SharedStoreUnavailable(late)
    } catch (ended: HazelcastInstanceNotActiveException) {
        throw SharedStoreUnavailable(ended)
    }

    private companion object {
        const val COUNTS = "counts"
        const val FIRST_PORT = 5701
        const val LOOPBACK = "127.0.0.1"

        fun config(name: String, members: List<String>) = Config().apply {
            clusterName = name
            jetConfig.isEnabled = false
            setProperty("hazelcast.logging.type", "slf4j")
            setProperty("hazelcast.phone.home.enabled", "false")
            // The service shuts its member down itself, after the last response.
            setProperty("hazelcast.shutdownhook.enabled", "false")
            setProperty("hazelcast.operation.call.timeout.millis", "1000")
            networkConfig.apply {
                port = FIRST_PORT
                isPortAutoIncrement = true
                join.autoDetectionConfig.isEnabled = false
                join.multicastConfig.isEnabled = false
                join.tcpIpConfig.setEnabled(true).setMembers(members)
            }
            // If all members are on this machine, the port need not be reachable from others.
            if (members.all { InetAddress.getByName(it.substringBefore(':')).isLoopbackAddress }) {
                setProperty("hazelcast.socket.bind.any", "false")
                networkConfig.interfaces.setEnabled(true).addInterface(LOOPBACK)
            }
        }
    }
}

/**
 * Returns the name of a [GateDecision]. Members send each other these processors in serialized form, so a change of
 * their names or fields breaks clusters with members of two versions.
 */
private class Enter(private val seats: Int) : EntryProcessor<Long, Int?, String> {
    override fun process(entry: MutableMap.MutableEntry<Long, Int?>): String {
        val left = entry.value ?: return GateDecision.NOT_KNOWN.name
        if (left < seats) return GateDecision.TOO_FEW.name
        entry.setValue(left - seats)
        return GateDecision.IN.name
    }
}

private class GiveBack(private val seats: Int) : EntryProcessor<Long, Int?, Unit?> {
    override fun process(entry: MutableMap.MutableEntry<Long, Int?>): Unit? {
        entry.value?.let { entry.setValue(it + seats) }
        return null
    }
}

private class Correct(private val remaining: Int) : EntryProcessor<Long, Int?, Unit?> {
    override fun process(entry: MutableMap.MutableEntry<Long, Int?>): Unit? {
        entry.setValue(remaining)
        return null
    }
}
