package threadgauge.model

import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonNames

/** What else went on at the machine around one measurement. Null always means that the system does not tell. */
@Serializable
data class Surroundings(
    /**
     * Time that one round of a fixed piece of work took on one of the target's cores just before the load, while the
     * target was idle, in microseconds: the median of up to eleven rounds of about two milliseconds. The work needs
     * nothing but the core, so its time says how fast the core was: clock, sibling, hypervisor. It is the same where
     * nothing changed; compare it within one machine only.
     */
    val referenceBeforeMicros: Double? = null,
    /** The same just after the load. */
    val referenceAfterMicros: Double? = null,
    /** The means of the same rounds. Well above the median: other programs took the core between rounds. */
    val referenceBeforeMeanMicros: Double? = null,
    val referenceAfterMeanMicros: Double? = null,
    /**
     * Mean time of such a round while the load was on, from a twentieth of it every 47 ms: processor time, so that
     * having to wait for the core is not in it. It says how fast the core was for the target, which had it otherwise.
     */
    val referenceDuringMicros: Double? = null,
    /** Speed of the slowest of the target's cores just after each of the two pieces of work. */
    val megahertzBefore: Double? = null,
    val megahertzAfter: Double? = null,
    /** Pages of memory that the whole machine read from swap, and wrote to it, while the load was on. */
    val swappedInPages: Long? = null,
    val swappedOutPages: Long? = null,
    /**
     * Share of the machine's time, 0 to 1, that was neither idle nor stolen nor spent by target, load agents or
     * coordinator while the load was on: other programs, and what the kernel does for no process. Right to about one
     * hundredth.
     */
    val otherBusyShare: Double? = null,
    /**
     * Most files and sockets that the target was seen to have open while the load was on, and the most that it may
     * have.
     */
    @JsonNames("openFilesMost") val maxOpenFiles: Long? = null,
    val openFilesLimit: Long? = null,
)
