package threadgauge.run

import threadgauge.load.agent.AgentProcess
import threadgauge.load.agent.InternalServer
import threadgauge.target.Cores
import threadgauge.target.Target
import threadgauge.target.pinned
import java.nio.file.Path
import java.time.Duration

/** Starts the load agent in a Java of its own, on its cores. */
internal fun startAgent(cores: Cores, logs: Path): AgentProcess {
    val loops = maxOf(1, cores.agent.size)
    val java = ownJava(AGENT_OPTIONS, "threadgauge.load.agent.AgentMainKt", loops.toString())
    return AgentProcess(deafToInterrupt(pinned(java, cores.agent)), logs.resolve("agent.log"))
}

/**
 * Runs [block] while the internal server is up, on the target's cores, with what has the agent load it. The server is
 * stopped afterwards, and at once when the run is cancelled.
 */
internal fun <T> onInternalServer(
    agent: AgentProcess,
    cores: Cores,
    logs: Path,
    cancellation: Cancellation,
    block: (Calibration) -> T,
): T {
    val port = Target.freePort()
    val server = ownJava(AGENT_OPTIONS, InternalServer::class.java.name, port.toString())
    return cancellation.using(Target.start(server, Path.of("").toAbsolutePath(), port, cores.target, logs.resolve("internal-server.log"))) {
        it.awaitReady(Duration.ofSeconds(30), InternalServer.BODY)
        block(Calibration(agent, port))
    }
}

internal fun javaProgram(): String = Path.of(System.getProperty("java.home"), "bin", "java").toString()

private fun ownJava(options: List<String>, main: String, vararg arguments: String) =
    listOf(javaProgram()) + options + listOf("-cp", System.getProperty("java.class.path"), main) + arguments

/**
 * Ctrl-C at a terminal reaches every process that was started from it. The agent is to go on until the coordinator has
 * decided what to do, so the signal is ignored before its Java starts, which then leaves it so.
 */
private fun deafToInterrupt(command: List<String>) = listOf("/bin/sh", "-c", "trap '' INT; exec \"\$@\"", "agent") + command

/** A small heap, so that a collection is short; the serial collector, so that no collector thread competes with the event loop. */
private val AGENT_OPTIONS = listOf("-Xms128m", "-Xmx256m", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED")
