package threadgauge.model.failure

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** A problem with a process that stacks need. */
@Serializable
sealed interface ServiceFault {
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
}
