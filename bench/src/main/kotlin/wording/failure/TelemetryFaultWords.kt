package threadgauge.wording.failure

import threadgauge.model.failure.CollectorTrouble
import threadgauge.model.failure.TelemetryFault

/** What happened, and what to do about it. */
fun TelemetryFault.words(): String = when (this) {
    is TelemetryFault.NotReached -> "The collector at $place ${trouble.words()}. "
    is TelemetryFault.Rejected -> "The collector at $place rejected the figures with status $status. ${remedy()}"
} + GOES_ON

private fun CollectorTrouble.words() = when (this) {
    CollectorTrouble.REFUSED -> "refused the connection"
    CollectorTrouble.UNKNOWN_HOST -> "was not found: its host has no address"
    CollectorTrouble.TIMEOUT -> "did not answer in time"
    CollectorTrouble.TLS -> "could not be trusted: TLS failed"
    CollectorTrouble.OTHER -> "could not be reached"
}

private fun TelemetryFault.Rejected.remedy() = when (status) {
    UNAUTHORIZED, FORBIDDEN -> "Check --otlp-header. "
    NOT_FOUND -> "Check the path of --otlp, to which /v1/metrics is added. "
    else -> ""
}

private const val GOES_ON = "The run goes on, and figures are sent again later; this is reported only once."
private const val UNAUTHORIZED = 401
private const val FORBIDDEN = 403
private const val NOT_FOUND = 404
