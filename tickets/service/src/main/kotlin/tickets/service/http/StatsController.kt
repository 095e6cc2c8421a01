package threadgauge.tickets.service.http

import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RestController
import threadgauge.tickets.service.SaleMetrics
import threadgauge.tickets.service.Settings

/** How often this service gave one answer since its start, and the recent p99 of its response time. */
data class AnswerStats(val count: Long, val p99Millis: Double)

/** Answers of this service to requests for seats, over all events. */
data class StatsBody(
    val strategy: String,
    val granted: AnswerStats,
    val tooFew: AnswerStats,
    val busy: AnswerStats,
    val unknown: AnswerStats,
)

/** For the sale's page; monitoring uses `/metrics`. */
@RestController
class StatsController(private val metrics: SaleMetrics, private val settings: Settings) {
    @GetMapping("/stats")
    fun stats() =
        StatsBody(settings.strategy, statsOf("granted"), statsOf("too-few"), statsOf("busy"), statsOf("unknown"))

    private fun statsOf(answer: String) = metrics.statsOf(answer).let { (count, p99) -> AnswerStats(count, p99) }
}
