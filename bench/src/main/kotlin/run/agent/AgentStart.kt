package threadgauge.run.agent

import java.nio.file.Path
import java.time.Duration
import threadgauge.load.agent.Agent
import threadgauge.load.agent.Agents
import threadgauge.load.agent.InternalServer
import threadgauge.load.agent.link.ProcessLink
import threadgauge.model.Situation
import threadgauge.model.request.maxConnections
import threadgauge.run.Cancellation
import threadgauge.target.Cores
import threadgauge.target.Target
import threadgauge.target.cleanEnvironment
import threadgauge.target.pinned

/**
 * Starts [count] load agents with [loops] event loops each, every one in a JVM of its own on the agent's cores. If one
 * cannot be started, the others are stopped.
 */
internal fun startAgents(count: Int, cores: Cores, logs: Path, loops: Int = maxOf(1, cores.agent.size)): Agents {
    val java = ownJava(AGENT_OPTIONS, "threadgauge.load.agent.AgentMainKt", loops.toString())
    val started = ArrayList<Agent>()
    try {
        for (number in 1..count) {
            val log = logs.resolve(if (number == 1) "agent.log" else "agent-$number.log")
            started += Agent(ProcessLink(deafToInterrupt(pinned(java, cores.agent)), log, cleanEnvironment()))
        }
    } catch (failure: Exception) {
        started.forEach { it.close() }
        throw failure
    }
    return Agents(started)
}

/**
 * Starts one agent that nothing is pinned for, since its target is elsewhere; one core is left to the system. The agent
 * is stopped after [block]. Throws `AgentDied`.
 */
internal fun <T> withLoneAgent(logs: Path, cancellation: Cancellation, block: (Agents) -> T): T {
    val loops = maxOf(1, Runtime.getRuntime().availableProcessors() - 1)
    return cancellation.using(startAgents(1, NO_CORES, logs, loops)) { agents ->
        agents.awaitReady()
        block(agents)
    }
}

/** Where nothing is pinned. */
internal val NO_CORES = Cores(emptyList(), emptyList())

/**
 * The number of agents that can hold the connections of the largest load of [situations] together, if a process may
 * open [fileLimit] files; 1 to [MAX_AGENTS]. One if the limit is unknown.
 */
internal fun agentsNeeded(situations: List<Situation>, fileLimit: Long?): Int {
    val each = ((fileLimit ?: return 1) - FILES_OF_ITS_OWN).coerceAtLeast(1)
    return situations.maxOf { ((it.maxConnections + each - 1) / each).toInt() }.coerceIn(1, MAX_AGENTS)
}

/**
 * Runs [block] while the internal server is up on the target's cores, and stops the server afterwards, or at once when
 * the run is cancelled. The file [log] in [logs] gets its output. Throws `TargetFailed` if it does not start.
 */
internal fun <T> onInternalServer(
    agents: Agents,
    cores: Cores,
    logs: Path,
    cancellation: Cancellation,
    log: String = "internal-server.log",
    block: (Calibration) -> T,
): T {
    val port = Target.freePort()
    val server = ownJava(AGENT_OPTIONS, InternalServer::class.java.name, port.toString())
    return cancellation.using(
        Target.start(server, Path.of("").toAbsolutePath(), port, cores.target, logs.resolve(log)),
    ) {
        it.awaitReady(Duration.ofSeconds(30), InternalServer.BODY)
        block(Calibration(agents, port))
    }
}

/** The `java` of this JVM. */
internal fun javaProgram(): String = Path.of(System.getProperty("java.home"), "bin", "java").toString()

private fun ownJava(options: List<String>, main: String, vararg arguments: String) =
    listOf(javaProgram()) + options + listOf("-cp", System.getProperty("java.class.path"), main) + arguments

/**
 * [command] with SIGINT ignored. Ctrl-C at a terminal reaches every process started from it, but the agent must go on
 * until the coordinator has decided what to do. A JVM that starts with the signal ignored leaves it so.
 */
private fun deafToInterrupt(command: List<String>) =
    listOf("/bin/sh", "-c", "trap '' INT; exec \"\$@\"", "agent") + command

/**
 * A small heap, so that a collection is short; the serial collector, so that no collector thread competes with the
 * event loop; Netty's leak detection off, because it samples one buffer in 128.
 */
private val AGENT_OPTIONS = listOf(
    "-Xms128m", "-Xmx256m", "-XX:+UseSerialGC", "-Dio.netty.leakDetection.level=disabled",
    "--enable-native-access=ALL-UNNAMED",
)

/** Files of an agent besides its connections: libraries, logs and pipes. */
private const val FILES_OF_ITS_OWN = 500L
private const val MAX_AGENTS = 16
