package threadgauge.run.agent

import java.io.IOException
import java.net.InetSocketAddress
import java.nio.file.Path
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionException
import kotlin.io.path.readText
import threadgauge.load.agent.Address
import threadgauge.load.agent.Agent
import threadgauge.load.agent.Agents
import threadgauge.load.agent.link.AgentDied
import threadgauge.load.agent.link.AgentToken
import threadgauge.load.agent.link.RemoteLink
import threadgauge.model.AgentCeiling
import threadgauge.model.AgentHost
import threadgauge.model.AgentSeen
import threadgauge.model.RemoteAgents
import threadgauge.model.failure.AgentFault
import threadgauge.model.failure.Failure
import threadgauge.model.failure.TargetFault
import threadgauge.model.request.isThisMachine
import threadgauge.target.Target
import threadgauge.target.TargetFailed

/** Agents of other machines, connected and warm. */
internal class Fleet(private val remote: RemoteAgents, private val links: List<RemoteLink>) : AutoCloseable {
    val agents = Agents(links.map(::Agent), remote.whenLost)

    /** As they were when they were connected to. */
    val seen: List<AgentSeen> = links.map { it.seen }

    /** What all can do together: each gets an equal share, so the slowest decides. */
    val ceiling: AgentCeiling = AgentCeiling(
        requestsPerSecond = seen.minOf { it.ceiling.requestsPerSecond } * seen.size,
        agentCpuMicrosPerRequest = seen.sumOf { it.ceiling.agentCpuMicrosPerRequest } / seen.size,
    )

    /** Where agents find [target]: what runs on this machine has another address for them. */
    fun addressesOf(target: Target): List<Address> = target.endpoints.map {
        val isHere = isThisMachine(it.host)
        if (isHere) Address(remote.target ?: it.host, it.port) else Address(it.host, it.port, it.address)
    }

    /**
     * Times that connections of the agents to [target] take to open, in nanoseconds, by agent. Throws [TargetFailed] if
     * one cannot connect, and `AgentDied`.
     */
    fun reach(target: Target): List<List<Long>> = links.map { link ->
        val address = addressesOf(target).first()
        try {
            link.reach(address)
        } catch (noWay: RemoteLink.NoWay) {
            throw TargetFailed(
                TargetFault.NoWayFromAgent("${link.at}", "${address.host}:${address.port}", noWay.message.orEmpty()),
                target.log,
            )
        }
    }

    override fun close() = agents.close()
}

/** An agent that listens [at] a host, and is reached there; or by another way, [via] an address of this machine. */
internal class PlacedAgent(val at: AgentHost, val via: InetSocketAddress? = null)

/** Connects to the agents of [remote], which somebody started. As the other. */
internal fun connect(remote: RemoteAgents): Fleet =
    connect(remote, remote.hosts.map { PlacedAgent(it) }, tokenOf(remote))

/**
 * Connects to all agents of [places], which have [token], at the same time. If one is not to be had, nothing stays
 * open. Throws `AgentDied`.
 */
internal fun connect(remote: RemoteAgents, places: List<PlacedAgent>, token: AgentToken): Fleet {
    val links = places.map { place ->
        CompletableFuture.supplyAsync(
            { RemoteLink.open(place.at, token, via = place.via) }, { Thread.ofVirtual().start(it) },
        )
    }
    val ends = links.map { link ->
        try {
            Result.success(link.join())
        } catch (failed: CompletionException) {
            Result.failure(failed.cause ?: failed)
        }
    }
    ends.firstOrNull { it.isFailure }?.let { first ->
        ends.forEach { it.getOrNull()?.close() }
        first.getOrThrow()
    }
    return Fleet(remote, ends.map { it.getOrThrow() })
}

/** The token of the file, or else of the environment. Throws `AgentDied` if there is none. */
private fun tokenOf(remote: RemoteAgents): AgentToken {
    val file = remote.tokenFile
    val text = try {
        if (file == null) System.getenv(TOKEN_VARIABLE).orEmpty() else Path.of(file).readText()
    } catch (_: IOException) {
        ""
    }
    return AgentToken.of(text)
        ?: throw AgentDied(Failure.RemoteAgent(AgentFault.NoToken(file ?: TOKEN_VARIABLE), "${remote.hosts.first()}"))
}

/** Of the environment: the token, where no file has it. */
internal const val TOKEN_VARIABLE = "THREADGAUGE_AGENT_TOKEN"
