package threadgauge.tickets.faults.cluster

import java.util.Random
import threadgauge.tickets.faults.Deck
import threadgauge.tickets.faults.Faults
import threadgauge.tickets.faults.KILLED_DATABASES
import threadgauge.tickets.faults.KILLED_SERVICES

/**
 * Faults of services and their database in a cluster: pods that are killed, deleted and evicted, and rolling updates.
 * The autoscaler does its own meanwhile.
 */
internal class ClusterFaults(private val kubectl: Kubectl, private val random: Random) : Faults {
    private val deck = Deck(FAULTS, random)

    override fun awaitReady() {
        kubectl.done("rollout", "status", "statefulset/postgresql", "--timeout=5m")
        kubectl.done("rollout", "status", "deployment/tickets", "--timeout=9m")
    }

    /** Only while two services are ready: otherwise nothing would be sold and nothing tested. */
    override fun inject(): String? {
        val ready = kubectl.pods("tickets").filter { it.isReady }
        if (ready.size < 2) return null
        val pod = ready[random.nextInt(ready.size)]
        return when (deck.next()) {
            in KILL -> if (kill(pod)) KILLED_SERVICES else null
            in DELETE -> {
                kubectl.done("delete", "pod", pod.name, "--wait=false")
                DELETED
            }
            in EVICT -> if (evict(pod)) EVICTED else REFUSED
            in KILL_DATABASE -> {
                val database = kubectl.pods("postgresql").singleOrNull { it.isReady }
                if (database != null && kill(database)) KILLED_DATABASES else null
            }
            else -> if (update()) UPDATES else null
        }
    }

    /**
     * With SIGKILL; false if nothing of the pod ran. The pod is removed as well, because a container that ends often
     * is started again ever later.
     */
    private fun kill(pod: Pod): Boolean {
        if (pod.kill() == 0) return false
        kubectl.done("delete", "pod", pod.name, "--grace-period=0", "--force")
        return true
    }

    /** By the API that drains a node, which asks the PodDisruptionBudget first; false if that refuses. */
    private fun evict(pod: Pod): Boolean {
        val eviction = """{"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "${pod.name}"}}"""
        val path = "/api/v1/namespaces/${kubectl.namespace}/pods/${pod.name}/eviction"
        return kubectl.does("create", "--raw", path, "--filename=-", input = eviction)
    }

    /** One at a time; false if the last one still goes on. */
    private fun update(): Boolean {
        if (!kubectl.does("rollout", "status", "deployment/tickets", "--watch=false")) return false
        kubectl.done("rollout", "restart", "deployment/tickets")
        return true
    }

    companion object {
        const val DELETED = "services deleted"
        const val EVICTED = "services evicted"
        const val REFUSED = "evictions refused"
        const val UPDATES = "rolling updates"

        /** Sum of the weights. */
        private const val FAULTS = 12
        private val KILL = 0..6
        private val DELETE = 7..7
        private val EVICT = 8..8
        private val KILL_DATABASE = 9..10
    }
}
