package threadgauge.tickets.faults.cluster

import java.util.Random
import java.util.concurrent.locks.ReentrantLock
import kotlin.concurrent.withLock
import threadgauge.tickets.faults.Deck

/**
 * What happens to services and their ledger in a cluster, in random order, until it is closed: pods that are killed,
 * deleted and evicted, and rolling updates. The autoscaler does its own meanwhile.
 */
internal class ClusterChaos(
    private val kubectl: Kubectl,
    seed: Long,
    private val maxPauseMillis: Long,
) : AutoCloseable {
    private val random = Random(seed)
    private val faults = Deck(FAULTS, random)
    private val lock = ReentrantLock()
    private val counts = LinkedHashMap<String, Int>()

    @Volatile
    private var isOver = false

    /** See [threadgauge.tickets.faults.FaultySale.failure]. */
    @Volatile
    var failure: Exception? = null
        private set

    private val thread = Thread.ofPlatform().name("chaos").start {
        try {
            while (!isOver) {
                Thread.sleep(random.nextLong(MIN_PAUSE_MILLIS, maxPauseMillis))
                lock.withLock { if (!isOver) next() }
            }
        } catch (broken: Exception) {
            failure = broken
        }
    }

    /** Number of faults so far, by description. */
    val done: Map<String, Int> get() = lock.withLock { counts.toMap() }

    /** Runs [block] without faults, after the ledger and all services are ready. */
    fun <T> withoutFaults(block: () -> T): T = lock.withLock {
        failure?.let { throw it }
        kubectl.done("rollout", "status", "statefulset/postgresql", "--timeout=5m")
        kubectl.done("rollout", "status", "deployment/tickets", "--timeout=9m")
        block()
    }

    /** Only while two services are ready: otherwise nothing would be sold and nothing tested. */
    private fun next() {
        val ready = kubectl.pods("tickets").filter { it.isReady }
        if (ready.size < 2) return
        val pod = ready[random.nextInt(ready.size)]
        when (faults.next()) {
            in KILL -> kill(pod, KILLED_SERVICES)
            in DELETE -> {
                kubectl.done("delete", "pod", pod.name, "--wait=false")
                count(DELETED)
            }
            in EVICT -> evict(pod)
            in KILL_LEDGER -> kubectl.pods("postgresql").singleOrNull { it.isReady }?.let { kill(it, KILLED_LEDGERS) }
            else -> update()
        }
    }

    /** With SIGKILL. The pod is removed as well, because a container that ends often is started again ever later. */
    private fun kill(pod: Pod, what: String) {
        if (pod.kill() == 0) return
        kubectl.done("delete", "pod", pod.name, "--grace-period=0", "--force")
        count(what)
    }

    /** By the API that drains a node, which asks the PodDisruptionBudget first. */
    private fun evict(pod: Pod) {
        val eviction = """{"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "${pod.name}"}}"""
        val path = "/api/v1/namespaces/${kubectl.namespace}/pods/${pod.name}/eviction"
        count(if (kubectl.does("create", "--raw", path, "--filename=-", input = eviction)) EVICTED else REFUSED)
    }

    /** One at a time. */
    private fun update() {
        if (!kubectl.does("rollout", "status", "deployment/tickets", "--watch=false")) return
        kubectl.done("rollout", "restart", "deployment/tickets")
        count(UPDATES)
    }

    private fun count(what: String) {
        counts.merge(what, 1, Int::plus)
    }

    override fun close() {
        isOver = true
        thread.join()
    }

    companion object {
        const val KILLED_SERVICES = "services killed"
        const val KILLED_LEDGERS = "databases killed"
        const val DELETED = "services deleted"
        const val EVICTED = "services evicted"
        const val REFUSED = "evictions refused"
        const val UPDATES = "rolling updates"

        /** Sum of the weights. */
        private const val FAULTS = 12
        private val KILL = 0..6
        private val DELETE = 7..7
        private val EVICT = 8..8
        private val KILL_LEDGER = 9..10
        private const val MIN_PAUSE_MILLIS = 500L
    }
}
