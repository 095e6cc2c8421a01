package threadgauge.tickets.service.http

import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RestController
import threadgauge.tickets.service.SaleMetrics
import threadgauge.tickets.service.Settings

/** How often one answer was given since the start of this service, and how long the slowest of a hundred of them lately took. */
data class AnswerStats(val count: Long, val p99Millis: Double)

/** What this service has answered, over all events. */
data class StatsBody(
    val strategy: String,
    val granted: AnswerStats,
    val tooFew: AnswerStats,
    val busy: AnswerStats,
    val unknown: AnswerStats,
)

/** For the page that watches a sale; monitoring asks `/metrics`. */
@RestController
class StatsController(private val metrics: SaleMetrics, private val settings: Settings) {
    @GetMapping("/stats")
    fun stats() = StatsBody(settings.strategy, statsOf("granted"), statsOf("too-few"), statsOf("busy"), statsOf("unknown"))

    private fun statsOf(answer: String) = metrics.statsOf(answer).let { (count, p99) -> AnswerStats(count, p99) }
}
