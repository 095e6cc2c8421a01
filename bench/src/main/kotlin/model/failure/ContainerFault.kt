package threadgauge.model.failure

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** Why [image] cannot be started as a container. */
@Serializable
sealed interface ContainerFault {
    val image: String

    /** None of [programs] is installed. */
    @Serializable
    @SerialName("no-engine")
    data class NoEngine(override val image: String, val programs: List<String>) : ContainerFault

    /** [program] is installed, and its engine cannot be used, because of [detail]. */
    @Serializable
    @SerialName("engine-silent")
    data class EngineSilent(override val image: String, val program: String, val detail: String) : ContainerFault

    /** None of [programs], which all work, has the image. */
    @Serializable
    @SerialName("no-image")
    data class NoImage(override val image: String, val programs: List<String>) : ContainerFault

    /** [program] does not share the network of this machine with containers, so a port must be given. */
    @Serializable
    @SerialName("no-shared-network")
    data class NoSharedNetwork(override val image: String, val program: String) : ContainerFault

    /** [program] gives containers no address at which others reach them. */
    @Serializable
    @SerialName("no-address")
    data class NoAddress(override val image: String, val program: String) : ContainerFault
}
