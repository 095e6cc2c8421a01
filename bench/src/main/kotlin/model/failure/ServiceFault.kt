package threadgauge.model.failure

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** A problem with a process that stacks need. */
@Serializable
sealed interface ServiceFault {
    /** There is no container of it. */
    @Serializable
    @SerialName("no-container")
    data class NoContainer(val fault: ContainerFault) : ServiceFault

    /** It ended before it was ready. */
    @Serializable
    @SerialName("ended-early")
    data class EndedEarly(val exitCode: Int?) : ServiceFault

    /** It ended while it was needed. */
    @Serializable
    @SerialName("ended")
    data class Ended(val exitCode: Int?) : ServiceFault

    /** It ended, and ends what it was part of. */
    @Serializable
    @SerialName("ended-by-itself")
    data class EndedByItself(val exitCode: Int?) : ServiceFault

    /** It was not ready in time. */
    @Serializable
    @SerialName("not-ready")
    data object NotReady : ServiceFault
}

/** A problem with the load agent. Its measurements since the last order are lost. */
@Serializable
sealed interface AgentFault {
    /** Its process ended unexpectedly. */
    @Serializable
    @SerialName("ended")
    data class Ended(val exitCode: Int) : AgentFault

    /** Its message could not be read. */
    @Serializable
    @SerialName("unreadable")
    data class Unreadable(val detail: String?) : AgentFault

    /** It could not be given an order. */
    @Serializable
    @SerialName("takes-no-orders")
    data class TakesNoOrders(val detail: String?) : AgentFault

    /** It could not execute its order, because of [why]. */
    @Serializable
    @SerialName("refused")
    data class Refused(val why: String) : AgentFault

    /** The name of its machine is not known. */
    @Serializable
    @SerialName("unknown-host")
    data object UnknownHost : AgentFault

    /** Its machine could not be connected to, because of [detail]. */
    @Serializable
    @SerialName("no-connection")
    data class NoConnection(val detail: String?) : AgentFault

    /** What answers there is no listener of Threadgauge: it said [detail]. */
    @Serializable
    @SerialName("no-listener")
    data class NoListener(val detail: String?) : AgentFault

    /** No token was found in [place], a file or a variable of the environment, or one that is too short. */
    @Serializable
    @SerialName("no-token")
    data class NoToken(val place: String) : AgentFault

    /** It was started with another token. */
    @Serializable
    @SerialName("wrong-token")
    data object WrongToken : AgentFault

    /** It is of the version [theirs]. */
    @Serializable
    @SerialName("other-version")
    data class OtherVersion(val theirs: String) : AgentFault

    /** It works for another coordinator. */
    @Serializable
    @SerialName("busy")
    data object Busy : AgentFault

    /** It was not allowed to load [host]. */
    @Serializable
    @SerialName("may-not-load")
    data class MayNotLoad(val host: String) : AgentFault

    /** It gave no answer for [seconds]. */
    @Serializable
    @SerialName("silent")
    data class Silent(val seconds: Long) : AgentFault

    /** The connection to it broke, because of [detail]. */
    @Serializable
    @SerialName("lost")
    data class Lost(val detail: String?) : AgentFault
}
