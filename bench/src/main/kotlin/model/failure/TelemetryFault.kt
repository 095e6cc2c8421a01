package threadgauge.model.failure

/** Why figures of a run do not reach the collector at [place] while it goes on. The run goes on without. */
sealed interface TelemetryFault {
    /** URL of the collector, without its query. */
    val place: String

    /** The collector could not be reached, or did not answer. */
    data class NotReached(override val place: String, val trouble: CollectorTrouble) : TelemetryFault

    /** The collector answered with [status], which is not one of success. */
    data class Rejected(override val place: String, val status: Int) : TelemetryFault
}

/** Ways in which a collector cannot be reached. */
enum class CollectorTrouble { REFUSED, UNKNOWN_HOST, TIMEOUT, TLS, OTHER }
