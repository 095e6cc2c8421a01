package threadgauge.run.agent.cluster

import java.net.InetSocketAddress
import java.nio.file.Path
import java.time.Duration
import kotlin.io.path.createDirectories
import kotlin.io.path.exists
import kotlin.io.path.readText
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import threadgauge.load.agent.link.AgentToken
import threadgauge.model.AgentHost
import threadgauge.model.KubernetesAgents
import threadgauge.model.failure.KubernetesFault
import threadgauge.run.Cancellation
import threadgauge.run.agent.PlacedAgent
import threadgauge.target.SupervisedProcess

/**
 * Load agents in a cluster, for the time of one run: [start] creates a Job, waits for its pods and opens a way to each
 * through the cluster's API; [close] takes all of it away. [logs] gets what kubectl prints.
 *
 * [start] is called once, on one thread. [close] may be called from any thread, more than once, also during [start].
 */
internal class AgentJob(
    private val agents: KubernetesAgents,
    private val manifests: AgentManifests,
    private val logs: Path,
    private val cancellation: Cancellation,
    private val kubectl: Kubectl = Kubectl(agents),
    private val patience: Duration = Duration.ofMinutes(3),
) : AutoCloseable {
    val token: AgentToken get() = checkNotNull(AgentToken.of(secret))
    private val secret = AgentToken.new()
    private val ways = ArrayList<SupervisedProcess>() // guarded by this
    private var isCreated = false // guarded by this
    private var isClosed = false // guarded by this

    /**
     * Returns when there is a way to every agent. Throws `AgentDied` where that cannot be had, and `Cancelled`. [hear]
     * gets how many are ready and what the next one waits for, each time that one of these changes.
     */
    fun start(hear: (ready: Int, why: String?) -> Unit = { _, _ -> }): List<PlacedAgent> {
        logs.createDirectories()
        synchronized(this) { isCreated = true }
        val created = kubectl.call("create job", "create", "-f", "-", "-o", "json", input = "${manifests.job()}")
        val metadata = Json.parseToJsonElement(created).jsonObject["metadata"]?.jsonObject
        val uid = metadata?.get("uid")?.jsonPrimitive?.content
        kubectl.call("create secret", "create", "-f", "-", input = "${manifests.secret(secret, uid)}")
        return ready(hear).map { pod ->
            cancellation.check()
            PlacedAgent(AgentHost(pod.name, AgentManifests.PORT), wayTo(pod.name))
        }
    }

    private fun ready(hear: (Int, String?) -> Unit): List<PodSeen> {
        val startNanos = System.nanoTime()
        var told: Pair<Int, String?>? = null
        while (true) {
            cancellation.check()
            val pods = PodSeen.allIn(kubectl.call("get pods", "get", "pods", "-l", manifests.selector, "-o", "json"))
            refuseHopeless(pods)
            val ready = pods.filter { it.isReady }
            val why = pods.firstOrNull { !it.isReady }?.waits?.let { (reason, detail) ->
                detail?.let { "$reason, $it" } ?: reason
            }
            if (told != ready.size to why) {
                told = ready.size to why
                hear(ready.size, why)
            }
            if (ready.size == agents.pods) return ready
            val waited = Duration.ofNanos(System.nanoTime() - startNanos)
            if (pods.isEmpty() && waited > WITHOUT_PODS) refuseWithoutPods()
            if (waited > patience) {
                throw kubectl.died(KubernetesFault.Slow(ready.size, agents.pods, waited.toSeconds(), why))
            }
            Thread.sleep(LOOK)
        }
    }

    private fun refuseHopeless(pods: List<PodSeen>) {
        pods.firstOrNull { it.isEnded }?.let { pod ->
            val why = pod.waits
            // Its log is the best reason, and is gone with an evicted pod.
            val log = runCatching { kubectl.call("get log", "logs", pod.name, "--tail=$LOG_LINES") }.getOrDefault("")
            throw kubectl.died(
                if (why == null) KubernetesFault.Ended(pod.name, pod.exitCode, log.trim())
                else KubernetesFault.Pod(pod.name, why.first, why.second),
            )
        }
        pods.firstOrNull { it.isHopeless }?.let { pod ->
            val (reason, detail) = checkNotNull(pod.waits)
            throw kubectl.died(KubernetesFault.Pod(pod.name, reason, detail))
        }
    }

    /** A quota and an admission rule are reported as events of the Job. Returns where there are none yet. */
    private fun refuseWithoutPods() {
        val of = "involvedObject.name=${manifests.name}"
        val events = eventsIn(kubectl.call("get events", "get", "events", "--field-selector", of, "-o", "json"))
        events.lastOrNull()?.let { throw kubectl.died(KubernetesFault.NoPods(it)) }
    }

    /** Port of this machine from which kubectl forwards to [pod]. */
    private fun wayTo(pod: String): InetSocketAddress {
        val log = logs.resolve("$pod.log")
        val command = kubectl.command("port-forward", "--address", LOOPBACK, "pod/$pod", ":${AgentManifests.PORT}")
        val process = SupervisedProcess.start(command, logs, log, inherits = System.getenv())
        synchronized(this) {
            ways += process
            if (isClosed) process.close()
        }
        val untilNanos = System.nanoTime() + FORWARDING.toNanos()
        while (System.nanoTime() < untilNanos) {
            cancellation.check()
            val printed = if (log.exists()) log.readText() else ""
            FORWARDED.find(printed)?.let { return InetSocketAddress(LOOPBACK, it.groupValues[1].toInt()) }
            if (!process.isAlive) throw kubectl.died(KubernetesFault.NoWay(pod, lastLineOf(printed)))
            Thread.sleep(LOOK.dividedBy(LOOKS_AT_LOG))
        }
        throw kubectl.died(KubernetesFault.NoWay(pod, lastLineOf(if (log.exists()) log.readText() else "")))
    }

    private fun lastLineOf(text: String) = text.lines().lastOrNull { it.isNotBlank() }?.trim()

    /**
     * Waits until the pods are gone, for half a minute at most; the cluster then goes on by itself. A second call
     * deletes what [start] may have created during the first.
     */
    override fun close() {
        val (open, mayExist) = synchronized(this) {
            isClosed = true
            ways.toList() to isCreated
        }
        open.forEach { it.close() }
        if (!mayExist) return
        runCatching {
            kubectl.call(
                "delete job", "delete", "job", manifests.name, "--ignore-not-found", "--cascade=foreground",
                "--timeout=${END.toSeconds()}s",
            )
        }
    }

    private companion object {
        const val LOOPBACK = "127.0.0.1"
        const val LOG_LINES = 5
        const val LOOKS_AT_LOG = 5L
        val LOOK: Duration = Duration.ofMillis(500)

        /** A controller creates pods within a second; one that is not allowed to says so as fast. */
        val WITHOUT_PODS: Duration = Duration.ofSeconds(5)
        val FORWARDING: Duration = Duration.ofSeconds(20)
        val END: Duration = Duration.ofSeconds(30)

        /** What kubectl prints once it listens; see `port_forward.go` of client-go. */
        val FORWARDED = Regex("""Forwarding from 127\.0\.0\.1:(\d+)""")
    }
}
