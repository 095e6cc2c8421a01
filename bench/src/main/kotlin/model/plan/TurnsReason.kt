package threadgauge.model.plan

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** Why stacks that should have been measured in rounds were measured one after the other. */
@Serializable
sealed interface TurnsReason {
    /** Memory was too short for all [stacks]: with [alive] of them alive, [availableBytes] were left. */
    @Serializable
    @SerialName("memory")
    data class Memory(val stacks: Int, val alive: Int, val availableBytes: Long) : TurnsReason

    /** [stack] always serves [port], whatever port it is assigned, so [other] could not start beside it. */
    @Serializable
    @SerialName("port")
    data class Port(val stack: String, val port: Int, val other: String) : TurnsReason

    /** [stack], a service of the user's own, did not start while [others] were running: it may need what they hold. */
    @Serializable
    @SerialName("start")
    data class Start(val stack: String, val others: List<String>) : TurnsReason
}
