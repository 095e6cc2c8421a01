package threadgauge.load.agent.link

import java.io.IOException
import java.net.InetSocketAddress
import java.net.Socket
import java.net.SocketTimeoutException
import java.net.UnknownHostException
import java.time.Instant
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit
import javax.net.ssl.SSLSocket
import kotlinx.serialization.SerializationException
import threadgauge.load.agent.Address
import threadgauge.load.agent.epochNanos
import threadgauge.model.AgentHost
import threadgauge.model.AgentSeen
import threadgauge.model.ClockOffset
import threadgauge.model.VERSION
import threadgauge.model.failure.AgentFault
import threadgauge.model.failure.Failure

/**
 * The way to an agent of another machine, over TLS, to a listener that knows the same token. If the connection breaks,
 * by the end of either side too, the listener ends the agent.
 */
class RemoteLink private constructor(val at: AgentHost, private val lines: LineSocket, patience: Patience) :
    AgentLink {
    override val pid: Long? get() = null
    override val command: List<String> get() = emptyList()
    private val answerMillis = patience.answerMillis

    /** Set before the constructor's caller has the link, and by [compareClocks]. */
    @Volatile
    override lateinit var clock: ClockOffset
        private set

    /** What the agent's machine is. */
    lateinit var seen: AgentSeen
        private set

    /** Answers to pings and reaches, with `System.nanoTime` when each was read. */
    private val answers = LinkedBlockingQueue<Pair<LinkMessage, Long>>()

    @Volatile
    private var fault: AgentFault? = null

    override fun send(line: String) = lines.send(line)

    override fun receive(): String? {
        try {
            while (true) {
                val line = lines.receive() ?: return null
                when (val message = LinkMessage.of(line)) {
                    null -> return line
                    is LinkMessage.Denied -> return null.also { fault = message.fault() }
                    else -> answers.put(message to System.nanoTime())
                }
            }
        } catch (broken: IOException) {
            fault = AgentFault.Lost(broken.message)
            return null
        }
    }

    override fun ended(): AgentFault = fault ?: AgentFault.Lost(null)

    override fun failure(fault: AgentFault) = Failure.RemoteAgent(fault, "$at")

    override fun compareClocks() {
        clock = compared {
            val (pong, receivedNanos) = answered(LinkMessage.Ping, answerMillis.toLong())
            (pong as? LinkMessage.Pong ?: throw died(AgentFault.Unreadable("$pong"))) to receivedNanos
        }
    }

    /** How long connections of its machine to [target] took to open, in nanoseconds. Throws [AgentDied] or [NoWay]. */
    fun reach(target: Address): List<Long> {
        val (answer) = answered(LinkMessage.Reach(target), REACH_MILLIS)
        answer as? LinkMessage.Reached ?: throw died(AgentFault.Unreadable("$answer"))
        answer.problem?.let { throw NoWay(it) }
        return answer.nanos
    }

    private fun answered(question: LinkMessage, millis: Long): Pair<LinkMessage, Long> {
        try {
            lines.send(question)
        } catch (broken: IOException) {
            throw died(AgentFault.Lost(broken.message))
        }
        return answers.poll(millis, TimeUnit.MILLISECONDS) ?: throw died(fault ?: AgentFault.Silent(millis / 1_000))
    }

    override fun close() = lines.close()

    private fun died(fault: AgentFault) = AgentDied(failure(fault))

    /** An agent's machine could not connect to a target; [message] is the system's reason. */
    class NoWay(message: String) : Exception(message)

    /** How long to wait for a connection, for each answer of the listener, and for its agent to be ready. */
    class Patience(val connectMillis: Int = 5_000, val answerMillis: Int = 10_000, val readyMillis: Int = 120_000)

    companion object {
        private const val REACH_MILLIS = 30_000L

        /**
         * Connects to the listener at [at], and waits until its agent is ready. Throws [AgentDied] with the reason why
         * that is not to be had. [via] is an address from which somebody forwards to it, if that is the way.
         */
        fun open(
            at: AgentHost,
            token: AgentToken,
            patience: Patience = Patience(),
            via: InetSocketAddress? = null,
        ): RemoteLink {
            fun died(fault: AgentFault) = AgentDied(Failure.RemoteAgent(fault, "$at"))
            val socket = try {
                connected(via ?: InetSocketAddress(at.host, at.port), at, patience)
            } catch (unknown: UnknownHostException) {
                throw died(AgentFault.UnknownHost)
            } catch (other: Unexpected) {
                throw died(other.fault)
            } catch (failed: IOException) {
                throw died(AgentFault.NoConnection(failed.message))
            }
            val lines = LineSocket(socket)
            try {
                lines.patience(patience.answerMillis)
                val handshake = Handshake(lines, token, socket.session.peerCertificates.first().encoded)
                handshake.introduce()?.let { throw died(it) }
                lines.patience(patience.readyMillis)
                val prepared = lines.expect<LinkMessage.Prepared>()
                lines.patience(0)
                val link = RemoteLink(at, lines, patience)
                // Nobody else reads yet.
                link.clock = compared {
                    lines.send(LinkMessage.Ping)
                    lines.expect<LinkMessage.Pong>() to System.nanoTime()
                }
                link.seen = prepared.run { AgentSeen(at, java, operatingSystem, cores, ceiling, link.clock) }
                return link
            } catch (failure: Exception) {
                lines.close()
                throw when (failure) {
                    is Unexpected -> died(failure.fault)
                    is SocketTimeoutException -> died(AgentFault.Silent(patience.readyMillis / 1_000L))
                    is IOException -> died(AgentFault.Lost(failure.message))
                    is SerializationException -> died(AgentFault.NoListener(failure.message?.lineSequence()?.first()))
                    else -> failure
                }
            }
        }

        private fun connected(address: InetSocketAddress, at: AgentHost, patience: Patience): SSLSocket {
            val plain = Socket()
            try {
                if (address.isUnresolved) throw UnknownHostException(at.host)
                plain.connect(address, patience.connectMillis)
                LineSocket.watch(plain)
                plain.soTimeout = patience.answerMillis
                val factory = ListenerCertificate.anyCertificate.socketFactory
                val socket = factory.createSocket(plain, at.host, at.port, true) as SSLSocket
                socket.enabledProtocols = arrayOf(TLS)
                return socket.also(::shakeHands)
            } catch (failure: Exception) {
                plain.close()
                throw failure
            }
        }

        /** Whatever goes wrong here, something listens that does not speak as a listener does. */
        private fun shakeHands(socket: SSLSocket) = try {
            socket.startHandshake()
        } catch (failed: IOException) {
            throw Unexpected(AgentFault.NoListener(failed.message))
        }
    }
}

/** The only version that is spoken: both sides are of the same version of Threadgauge. */
internal const val TLS = "TLSv1.3"

/** What a coordinator and a listener say first. */
private class Handshake(
    private val lines: LineSocket,
    private val token: AgentToken,
    private val certificate: ByteArray,
) {
    /** Null once each has proven itself to the other; otherwise the reason why not. */
    fun introduce(): AgentFault? {
        val greeting = lines.expect<LinkMessage.Greeting>()
        if (greeting.protocol != AgentToken.PROTOCOL || greeting.threadgauge != VERSION) {
            return AgentFault.OtherVersion(greeting.threadgauge)
        }
        val nonce = AgentToken.nonce()
        val proof = token.proof(AgentToken.Role.COORDINATOR, certificate, greeting.nonce, nonce)
        lines.send(LinkMessage.Asking(VERSION, nonce, proof))
        val accepted = lines.expect<LinkMessage.Accepted>()
        val isProven = token.proves(accepted.proof, AgentToken.Role.LISTENER, certificate, greeting.nonce, nonce)
        return if (isProven) null else AgentFault.WrongToken
    }
}

/** Something else came than what was to come. */
private class Unexpected(val fault: AgentFault) : Exception()

private inline fun <reified M : LinkMessage> LineSocket.expect(): M {
    val line = receive() ?: throw Unexpected(AgentFault.Lost(null))
    return when (val message = LinkMessage.of(line)) {
        is M -> message
        is LinkMessage.Denied -> throw Unexpected(message.fault())
        else -> throw Unexpected(AgentFault.NoListener(line.take(MAX_SHOWN)))
    }
}

/** Asks some times. [ask] sends a ping, and returns the answer and `System.nanoTime` when it was read. */
private fun compared(ask: () -> Pair<LinkMessage.Pong, Long>): ClockOffset = clockOffset(
    List(PINGS) {
        val epochNanos = Instant.now().epochNanos
        val sentNanos = System.nanoTime()
        val (pong, receivedNanos) = ask()
        ClockExchange(sentNanos, epochNanos, pong.nanos, pong.epochNanos, receivedNanos)
    },
)

private fun LinkMessage.Denied.fault(): AgentFault = when (why) {
    Denial.TOKEN -> AgentFault.WrongToken
    Denial.VERSION -> AgentFault.OtherVersion(detail.orEmpty())
    Denial.BUSY -> AgentFault.Busy
    Denial.FAILED -> AgentFault.Refused(detail.orEmpty())
    Denial.HOST -> AgentFault.MayNotLoad(detail.orEmpty())
}

/** Enough that one of them meets no queue. */
private const val PINGS = 15
private const val MAX_SHOWN = 80
