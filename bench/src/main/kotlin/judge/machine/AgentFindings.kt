package threadgauge.judge.machine

import java.util.Locale
import kotlin.math.abs
import threadgauge.model.AgentRound
import threadgauge.stats.median
import threadgauge.wording.percent
import threadgauge.wording.whole

/** What the load agent did against a server that does nothing, each with its thresholds and where they come from. */
internal val agentRules = listOf(
    // 0.1 % is the limit of the doubt failures: a server that does nothing has no reason to fail at all.
    FindingRule("agent-errors", "A measurement in which requests fail on the way says nothing about the server.") { c ->
        val failed = c.rounds.sumOf { it.failed } + c.lags.sumOf { it.failed }
        val remedy = "Look at what stands between: firewall, security software, network settings of a container."
        when {
            c.rounds.any { it.requestsPerSecond <= 0 } -> problem("the internal server answered nothing in at least one round", remedy)
            failed > 0 -> problem("${whole(failed.toDouble())} requests to the internal server failed", remedy)
            else -> fine("every request was answered, every answer was right")
        }
    },
    // 10 %: two stretches of a second on a quiet shared machine differ by that much. 40 %: with five trials even a
    // difference of a quarter cannot be seen any more (Welch's interval, as in stats). One bad round may be chance, and
    // is worth a note; it is a problem when the others differ as much.
    FindingRule("spread", "What varies while nothing changes hides differences between stacks.") { c ->
        val spread = spreadOf(c.rounds) ?: return@FindingRule untold("how fast the agent is")
        val seen = "the agent's ${c.rounds.size} rounds differ by ${percent(spread)}"
        val remedy = "Close what else is running, and use a machine that is not shared. More trials help too."
        when {
            spreadWithoutTheFarthest(c.rounds) > WILD_SPREAD ->
                problem("$seen, and not because of a single one (limit ${percent(WILD_SPREAD)})", remedy)
            spread > USUAL_SPREAD -> note("$seen (limit ${percent(USUAL_SPREAD)})", remedy)
            else -> fine(seen)
        }
    },
    // 1 ms: at most, the limit of the doubt sent-late. 10 ms: a simple answer takes less than that altogether.
    FindingRule("sent-late", "Latency counts from the moment a request was meant to leave, so it is in every latency.") { c ->
        val worst = c.lags.maxByOrNull { it.sendDelay.p99Micros } ?: return@FindingRule untold("when requests leave")
        val late = worst.sendDelay.p99Micros
        val seen = "1 % of requests left more than ${time(late)} late at ${whole(worst.ratePerSecond)}/s"
        val remedy = "Use a machine with more cores, or one that is not shared."
        when {
            late > 10_000 -> problem("$seen (limit 10 ms)", remedy)
            late > 1_000 -> note("$seen (limit 1 ms)", remedy)
            else -> fine(seen)
        }
    },
    // The duty is due every 10 ms: later than that, a whole one was missed.
    FindingRule("stalls", "While the agent stands still, nothing is sent and nothing is timed.") { c ->
        val worst = c.lags.maxOfOrNull { it.loopLagMicrosMax } ?: return@FindingRule untold("whether the agent stalls")
        val seen = "the agent stood still for ${time(worst)} at the worst"
        val remedy = "Close what else is running. A stall now and then is seen in the maximum only."
        if (worst > 10_000) note("$seen (limit 10 ms)", remedy) else fine(seen)
    },
)

/** Greatest less smallest rate of the rounds, as a share of the middle one. Null where there is nothing to compare. */
internal fun spreadOf(rounds: List<AgentRound>): Double? {
    val rates = rounds.map { it.requestsPerSecond }
    if (rates.size < 2) return null
    return median(rates).takeIf { it > 0 }?.let { (rates.max() - rates.min()) / it }
}

/** The same without the one round that lies farthest from the middle one; 0 where nothing is left to compare. */
private fun spreadWithoutTheFarthest(rounds: List<AgentRound>): Double {
    val middle = median(rounds.map { it.requestsPerSecond })
    return spreadOf(rounds.sortedBy { abs(it.requestsPerSecond - middle) }.dropLast(1)) ?: 0.0
}

/** Microseconds in words. */
private fun time(micros: Double) = if (micros < 1_000) "${whole(micros)} µs" else "%.1f ms".format(Locale.ROOT, micros / 1e3)

private const val USUAL_SPREAD = 0.10
private const val WILD_SPREAD = 0.40
