package threadgauge.load.agent.link

import java.nio.file.Path
import java.util.concurrent.TimeUnit
import threadgauge.model.ClockOffset
import threadgauge.model.failure.AgentFault
import threadgauge.model.failure.Failure

/**
 * Starts an agent as a process of this machine. The agent ends when this side closes its standard input, also by dying,
 * so it is never left behind. [inherits] is its whole environment, and [log] gets its errors.
 */
class ProcessLink(override val command: List<String>, private val log: Path, inherits: Map<String, String>) :
    AgentLink {
    private val process = ProcessBuilder(command).redirectError(log.toFile())
        .apply { environment().run { clear(); putAll(inherits) } }.start()

    /** The shell and `taskset` in front of the agent replace themselves with it. */
    override val pid: Long get() = process.pid()
    override val clock: ClockOffset? get() = null
    private val input = process.outputStream.bufferedWriter()
    private val output = process.inputReader()

    override fun send(line: String) {
        input.write(line + "\n")
        input.flush()
    }

    override fun receive(): String? = output.readLine()

    override fun ended() = AgentFault.Ended(process.waitFor())

    override fun failure(fault: AgentFault) = Failure.Agent(fault, "$log")

    /** Kills the agent if it has not ended within two seconds. */
    override fun close() {
        runCatching { input.close() }
        if (!process.waitFor(2, TimeUnit.SECONDS)) process.destroyForcibly().waitFor()
    }
}
