package threadgauge.model

import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonNames

/**
 * Other activity on the machine around one measurement. Null always means that the system does not report the value.
 */
@Serializable
data class Surroundings(
    /**
     * Time of one round of the reference loop, a fixed piece of work, on one of the target's cores just before the
     * load, while the target was idle, in microseconds: the median of up to eleven rounds of about two milliseconds.
     * The work needs nothing but the core, so its time shows how fast the core was: frequency, sibling thread,
     * hypervisor. Compare it only on the same machine.
     */
    val referenceBeforeMicros: Double? = null,
    /** The same just after the load. */
    val referenceAfterMicros: Double? = null,
    /**
     * The means of the same rounds. A mean well above the median shows that other programs used the core between
     * rounds.
     */
    val referenceBeforeMeanMicros: Double? = null,
    val referenceAfterMeanMicros: Double? = null,
    /**
     * Mean time of such a round during the load, from a twentieth of it every 47 ms, in CPU time, so that waiting for
     * the core is not included. It shows how fast the core was for the target.
     */
    val referenceDuringMicros: Double? = null,
    /** Frequency of the slowest of the target's cores just after each of the two measurements. */
    val megahertzBefore: Double? = null,
    val megahertzAfter: Double? = null,
    /** Pages of memory that the whole machine read from swap and wrote to it during the load. */
    val swappedInPages: Long? = null,
    val swappedOutPages: Long? = null,
    /**
     * Share of the machine's time, 0 to 1, that was neither idle nor stolen nor used by target, load agents or
     * coordinator during the load: other programs and the kernel. Accurate to about 1 %.
     */
    val otherBusyShare: Double? = null,
    /** Maximum number of open files and sockets of the target during the load, and its limit. */
    @JsonNames("openFilesMost") val maxOpenFiles: Long? = null,
    val openFilesLimit: Long? = null,
    /**
     * Share of the time of the target's cores, 0 to 1, that was neither idle nor used by the target during the load:
     * other programs, the kernel and the hypervisor. Null where the target shares its cores with the load agent, and in
     * records before schema 4.
     */
    val takenFromTarget: Double? = null,
)
