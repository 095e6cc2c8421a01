package threadgauge.model.failure

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** What went wrong with a process that stacks need beside themselves. */
@Serializable
sealed interface ServiceFault {
    /** It ended before it said that it was ready. */
    @Serializable
    @SerialName("ended-early")
    data class EndedEarly(val exitCode: Int?) : ServiceFault

    /** It ended while it was needed. */
    @Serializable
    @SerialName("ended")
    data class Ended(val exitCode: Int?) : ServiceFault

    /** It ended, and what it was part of ends with it. */
    @Serializable
    @SerialName("ended-by-itself")
    data class EndedByItself(val exitCode: Int?) : ServiceFault

    /** It did not say in time that it was ready. */
    @Serializable
    @SerialName("not-ready")
    data object NotReady : ServiceFault
}

/** What went wrong with the load agent; what it measured since its last order is lost. */
@Serializable
sealed interface AgentFault {
    /** Its process ended by itself. */
    @Serializable
    @SerialName("ended")
    data class Ended(val exitCode: Int) : AgentFault

    /** What it said could not be read. */
    @Serializable
    @SerialName("unreadable")
    data class Unreadable(val detail: String?) : AgentFault

    /** It could not be given an order. */
    @Serializable
    @SerialName("takes-no-orders")
    data class TakesNoOrders(val detail: String?) : AgentFault

    /** It could not carry out its order. [why] is what it said. */
    @Serializable
    @SerialName("refused")
    data class Refused(val why: String) : AgentFault
}
