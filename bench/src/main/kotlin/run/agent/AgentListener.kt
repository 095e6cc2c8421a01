package threadgauge.run.agent

import java.io.IOException
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.Socket
import java.net.SocketException
import java.net.SocketTimeoutException
import java.net.UnknownHostException
import java.nio.file.Path
import java.time.Instant
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.Semaphore
import javax.net.ssl.SSLServerSocket
import javax.net.ssl.SSLSocket
import kotlin.io.path.createDirectories
import kotlinx.serialization.SerializationException
import threadgauge.load.agent.Address
import threadgauge.load.agent.Agents
import threadgauge.load.agent.WorkOrder
import threadgauge.load.agent.agentJson
import threadgauge.load.agent.epochNanos
import threadgauge.load.agent.lineOf
import threadgauge.load.agent.link.AgentDied
import threadgauge.load.agent.link.AgentToken
import threadgauge.load.agent.link.Denial
import threadgauge.load.agent.link.LineSocket
import threadgauge.load.agent.link.LinkMessage
import threadgauge.load.agent.link.ListenerCertificate
import threadgauge.load.agent.link.TLS
import threadgauge.model.AgentCeiling
import threadgauge.model.VERSION
import threadgauge.model.request.isThisMachine
import threadgauge.run.Cancellation

/** What a listener reports, from any thread. [from] is the address of a coordinator. */
sealed interface ListenerEvent {
    /** There was no token, so one was made. */
    data class TokenMade(val file: Path) : ListenerEvent

    /** It accepts coordinators on [port]. */
    data class Listening(val port: Int) : ListenerEvent

    /** A coordinator proved that it knows the token; an agent starts for it. */
    data class Working(val from: String) : ListenerEvent

    /** It is gone, and so is its agent. */
    data class Ended(val from: String) : ListenerEvent

    /** It was sent away. */
    data class Denied(val from: String, val why: SentAway) : ListenerEvent

    /** Nobody came for [minutes], so it ended. */
    data class Alone(val minutes: Long) : ListenerEvent

    /** The connection ended for a reason that is not the listener's. */
    data class Broken(val from: String, val cause: Exception) : ListenerEvent
}

/** How long a listener listens. */
enum class Stay {
    /** Until it is cancelled. */
    FOR_ALL,

    /** Until its first coordinator is gone, or none has come for ten minutes: a run started it, and may have died. */
    FOR_ONE,
}

/** Why a coordinator was sent away. */
enum class SentAway {
    /** Its token is another one. */
    TOKEN,

    /** It is of another version of Threadgauge. */
    VERSION,

    /** The listener works for another coordinator. */
    BUSY,
}

/**
 * Lends this machine to coordinators elsewhere: for one at a time that knows the token in [tokenFile], which is made
 * where there is none, it starts a load agent, passes orders and messages on, and stops the agent when the coordinator
 * is gone.
 *
 * Loads go to this machine, to that of the coordinator, and to the hosts in [mayLoad], and nowhere else. [folder] gets
 * the logs of agents.
 */
class AgentListener(
    private val address: InetSocketAddress,
    private val tokenFile: Path,
    private val mayLoad: Set<String>,
    private val folder: Path,
    private val cancellation: Cancellation,
    /** Warms an agent up, and measures the most that it can do here. */
    private val ceilingOf: (Agents) -> AgentCeiling = { calibrate(it, NO_CORES, folder, cancellation) },
    private val tell: (ListenerEvent) -> Unit,
    private val stay: Stay = Stay.FOR_ALL,
) {
    private val free = Semaphore(1)

    /** The first coordinator is gone, and no other is wanted. */
    @Volatile
    private var isDone = false

    /** Read by [serve] before anybody may come. */
    private lateinit var token: AgentToken
    private val visits = ConcurrentLinkedQueue<Thread>()

    /**
     * Serves until it is cancelled, or as [stay] says: false then if nobody came. Throws [IOException] if it cannot
     * listen, and [BadToken].
     */
    fun serve(): Boolean {
        token = tokenIn(tokenFile) { tell(ListenerEvent.TokenMade(tokenFile)) }
        folder.createDirectories()
        val certificate = ListenerCertificate.make(folder)
        val server = certificate.context.serverSocketFactory.createServerSocket() as SSLServerSocket
        try {
            return cancellation.using(server) {
                server.enabledProtocols = arrayOf(TLS)
                server.reuseAddress = true
                server.bind(address)
                if (stay == Stay.FOR_ONE) server.soTimeout = ALONE_MILLIS
                tell(ListenerEvent.Listening(server.localPort))
                acceptAll(server, certificate)
            }
        } finally {
            visits.forEach { it.join() }
        }
    }

    private fun acceptAll(server: SSLServerSocket, certificate: ListenerCertificate): Boolean {
        while (true) {
            val socket = try {
                server.accept() as SSLSocket
            } catch (closed: SocketException) {
                cancellation.check()
                if (isDone) return true
                throw closed
            } catch (_: SocketTimeoutException) {
                if (free.availablePermits() == 0) continue
                tell(ListenerEvent.Alone(ALONE_MILLIS / MINUTE_MILLIS))
                return false
            }
            visits.removeIf { !it.isAlive }
            visits += Thread.ofVirtual().start {
                attend(socket, certificate)
                if (isDone) server.close()
            }
        }
    }

    private fun attend(socket: SSLSocket, certificate: ListenerCertificate) {
        val from = socket.inetAddress.hostAddress
        try {
            LineSocket.watch(socket)
            socket.soTimeout = PATIENCE_MILLIS
            cancellation.using(LineSocket(socket)) { lines -> greet(lines, certificate, from) }
        } catch (broken: Exception) {
            if (!cancellation.isCancelled) tell(ListenerEvent.Broken(from, broken))
        } finally {
            socket.close()
        }
    }

    private fun greet(lines: LineSocket, certificate: ListenerCertificate, from: String) {
        fun deny(why: SentAway) {
            lines.send(LinkMessage.Denied(Denial.valueOf(why.name), VERSION.takeIf { why == SentAway.VERSION }))
            tell(ListenerEvent.Denied(from, why))
        }
        val nonce = AgentToken.nonce()
        lines.send(LinkMessage.Greeting(AgentToken.PROTOCOL, VERSION, nonce))
        // Whoever looks for open ports, or is of another version, hangs up without a word.
        val asking = lines.receive()?.let(LinkMessage::of) as? LinkMessage.Asking ?: return
        if (asking.threadgauge != VERSION) return deny(SentAway.VERSION)
        val role = AgentToken.Role.COORDINATOR
        if (!token.proves(asking.proof, role, certificate.der, nonce, asking.nonce)) return deny(SentAway.TOKEN)
        if (!free.tryAcquire()) return deny(SentAway.BUSY)
        try {
            val proof = token.proof(AgentToken.Role.LISTENER, certificate.der, nonce, asking.nonce)
            lines.send(LinkMessage.Accepted(proof))
            tell(ListenerEvent.Working(from))
            lines.patience(0)
            withLoneAgent(folder, cancellation) { agents -> work(lines, agents, ceilingOf(agents), from) }
        } catch (died: AgentDied) {
            lines.send(LinkMessage.Denied(Denial.FAILED, "${died.failure}"))
        } finally {
            free.release()
            isDone = stay == Stay.FOR_ONE
            tell(ListenerEvent.Ended(from))
        }
    }

    private fun work(lines: LineSocket, agents: Agents, ceiling: AgentCeiling, from: String) {
        val system = "${System.getProperty("os.name")} ${System.getProperty("os.version")}"
        val cores = Runtime.getRuntime().availableProcessors()
        lines.send(LinkMessage.Prepared(System.getProperty("java.version"), system, cores, ceiling))
        val passing = Thread.ofVirtual().start { passOn(agents, lines) }
        try {
            for (line in generateSequence(lines::receive)) {
                when (val message = LinkMessage.of(line)) {
                    null -> {
                        val order = agentJson.decodeFromString(WorkOrder.serializer(), line)
                        if (order.targets.any { !mayLoad(it, from, lines) }) return
                        agents.first.give(order)
                    }
                    LinkMessage.Ping -> lines.send(LinkMessage.Pong(System.nanoTime(), Instant.now().epochNanos))
                    is LinkMessage.Reach -> {
                        if (!mayLoad(message.target, from, lines)) return
                        lines.send(reached(message.target))
                    }
                    else -> return
                }
            }
        } catch (_: IOException) {
            // The coordinator is gone, which is how it ends.
        } catch (_: SerializationException) {
            // It is none of ours.
        } finally {
            agents.close()
            passing.join()
        }
    }

    /** Sends what the agent says until it ends. */
    private fun passOn(agents: Agents, lines: LineSocket) {
        try {
            while (true) lines.send(lineOf(agents.first.next()))
        } catch (died: AgentDied) {
            runCatching { lines.send(LinkMessage.Denied(Denial.FAILED, "${died.failure}")) }
            lines.close()
        } catch (_: IOException) {
            // The coordinator is gone; the other thread learns it, too.
        }
    }

    /** Says so to the coordinator where it may not. What counts is where a load goes, not what it is called. */
    private fun mayLoad(target: Address, from: String, lines: LineSocket): Boolean {
        val host = target.ip ?: target.host
        val allowed = mayLoad + from
        val may = isThisMachine(host) || host in allowed || target.ip == null && addressesOf(host).let { all ->
            all.isNotEmpty() && all.all { it in allowed || isThisMachine(it) }
        }
        if (!may) lines.send(LinkMessage.Denied(Denial.HOST, host))
        return may
    }

    private fun addressesOf(host: String): List<String> = try {
        InetAddress.getAllByName(host).map { it.hostAddress }
    } catch (_: UnknownHostException) {
        emptyList()
    }

    private fun reached(target: Address): LinkMessage.Reached = try {
        LinkMessage.Reached(List(CONNECTIONS) {
            val begun = System.nanoTime()
            Socket().use { it.connect(target.socketAddress(), CONNECT_MILLIS) }
            System.nanoTime() - begun
        })
    } catch (failed: IOException) {
        LinkMessage.Reached(emptyList(), failed.message ?: failed.toString())
    }

    private companion object {
        /** For the handshake of TLS, and for a question after the greeting. */
        const val PATIENCE_MILLIS = 10_000

        /** Longer than a run waits for the last of its pods: the first of them must not end before. */
        const val ALONE_MILLIS = 240_000
        const val MINUTE_MILLIS = 60_000L
        const val CONNECTIONS = 11
        const val CONNECT_MILLIS = 2_000
    }
}
