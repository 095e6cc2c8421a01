package threadgauge.model.failure

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/**
 * The reason why a trial, a run or a command ended early, if it lies outside of Threadgauge and the user can act on it.
 * Data only: `wording` has the sentences, `cli` the exit codes. It is part of records.
 */
@Serializable
sealed interface Failure {
    /** The server under measurement, with the end of its [log]; null where Threadgauge did not start it. */
    @Serializable
    @SerialName("target")
    data class Target(val fault: TargetFault, val log: LogEnd? = null) : Failure

    /** The database, backend or other process [name] that stacks need. */
    @Serializable
    @SerialName("service")
    data class Service(val name: String, val fault: ServiceFault, val log: LogEnd? = null) : Failure

    /** The load agent, which writes to the file [log]. */
    @Serializable
    @SerialName("agent")
    data class Agent(val fault: AgentFault, val log: String) : Failure

    /** The load agent of another machine, which listens [at] a host and port. */
    @Serializable
    @SerialName("remote-agent")
    data class RemoteAgent(val fault: AgentFault, val at: String) : Failure

    /** Load agents in the cluster of [context], a name of kubectl's configuration; null for its current one. */
    @Serializable
    @SerialName("kubernetes")
    data class Kubernetes(val fault: KubernetesFault, val context: String?) : Failure

    /** The token in [file] has less than [least] characters. */
    @Serializable
    @SerialName("short-token")
    data class ShortToken(val file: String, val least: Int) : Failure

    /** The [file] of a token cannot be read or written, because of [detail]. */
    @Serializable
    @SerialName("token-file")
    data class TokenFile(val file: String, val detail: String?) : Failure

    /** [cause] ended a run whose record lies in the folder [record]. */
    @Serializable
    @SerialName("run")
    data class Run(val cause: Failure, val record: String) : Failure

    /** The build of [modules], which printed [output]. */
    @Serializable
    @SerialName("build")
    data class Build(val modules: List<String>, val output: String) : Failure

    /** A download does not hold [modules], which a tree of sources would build. */
    @Serializable
    @SerialName("absent")
    data class Absent(val modules: List<String>) : Failure

    /** A run cannot be resumed; nothing was started and nothing was changed. */
    @Serializable
    @SerialName("resume")
    data class Resume(val fault: ResumeFault) : Failure

    /** A record, or a file with packed ones, could not be read or written. */
    @Serializable
    @SerialName("record")
    data class Record(val fault: RecordFault) : Failure

    /** A work order, or the files of an agent, cannot be used. [why] is the reason from the load agent. */
    @Serializable
    @SerialName("order")
    data class Order(val why: String) : Failure

    /** The port [port] is in use; [option] changes it. */
    @Serializable
    @SerialName("port")
    data class Port(val port: Int, val option: String) : Failure

    /** An unforeseen [error] in the words of the JVM. */
    @Serializable
    @SerialName("unforeseen")
    data class Unforeseen(val error: String) : Failure

    /** As a record of schema 3 or older has it: a [sentence]. Never written. */
    @Serializable
    @SerialName("told")
    data class Told(val sentence: String) : Failure
}

/**
 * The last lines of [file], at most five, without the frames of stack traces, which matter least to users. Empty where
 * nothing was printed.
 */
@Serializable
data class LogEnd(val file: String, val lines: List<String> = emptyList())

/** Thrown where [failure] ends the work. Its message is for developers; users read `wording`. */
open class Failed(val failure: Failure, cause: Throwable? = null) : Exception(failure.toString(), cause)
