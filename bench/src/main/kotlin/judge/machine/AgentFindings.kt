package threadgauge.judge.machine

import kotlin.math.abs
import threadgauge.model.AgentRound
import threadgauge.model.judgement.DoctorThresholds
import threadgauge.model.judgement.FindingFact
import threadgauge.model.judgement.FindingId
import threadgauge.stats.median

/** The performance of the load agent with a server that does nothing. */
internal val agentRules = listOf(
    // A server that does nothing has no reason to fail, so a single failure is a problem.
    FindingRule(FindingId.AGENT_ERRORS) { c ->
        val rounds = c.rounds + c.equalServers.flatMap { listOf(it.first, it.second) }
        val failed = rounds.sumOf { it.failed } + c.lags.sumOf { it.failed }
        val fact = FindingFact.Failures(failed, rounds.count { it.requestsPerSecond <= 0 })
        if (fact.requests > 0 || fact.silentRounds > 0) problem(fact) else fine(fact)
    },
    // One bad round may be chance, so it is a note. It is a problem if the other rounds differ as much.
    FindingRule(FindingId.SPREAD) { c ->
        val spread = spreadOf(c.rounds) ?: return@FindingRule unknown()
        val others = spreadWithoutTheFarthest(c.rounds)
        fun fact(limit: Double? = null) = FindingFact.Spread(c.rounds.size, spread, others, limit)
        when {
            others > DoctorThresholds.MAX_SPREAD -> problem(fact(DoctorThresholds.MAX_SPREAD))
            spread > DoctorThresholds.NOTED_SPREAD -> note(fact(DoctorThresholds.NOTED_SPREAD))
            else -> fine(fact())
        }
    },
    FindingRule(FindingId.ROUND_NOISE) { c ->
        val noise = precisionOf(c.equalServers)?.ofRuns?.deviation
        val limit = DoctorThresholds.NOTED_ROUND_NOISE
        when {
            noise == null -> unknown()
            noise > limit -> note(FindingFact.RoundNoise(noise, limit))
            else -> fine(FindingFact.RoundNoise(noise))
        }
    },
    FindingRule(FindingId.SENT_LATE) { c ->
        val worst = c.lags.maxByOrNull { it.sendDelay.p99Micros } ?: return@FindingRule unknown()
        val late = worst.sendDelay.p99Micros
        fun fact(limit: Double? = null) = FindingFact.Lateness(late, worst.ratePerSecond, limit)
        when {
            late > DoctorThresholds.MAX_LATENESS_MICROS -> problem(fact(DoctorThresholds.MAX_LATENESS_MICROS))
            late > DoctorThresholds.NOTED_LATENESS_MICROS -> note(fact(DoctorThresholds.NOTED_LATENESS_MICROS))
            else -> fine(fact())
        }
    },
    FindingRule(FindingId.STALLS) { c ->
        val worst = c.lags.maxOfOrNull { it.loopLagMicrosMax }
        when {
            worst == null -> unknown()
            worst > DoctorThresholds.NOTED_STALL_MICROS ->
                note(FindingFact.Stall(worst, DoctorThresholds.NOTED_STALL_MICROS))
            else -> fine(FindingFact.Stall(worst))
        }
    },
)

/** Range of the rates of the rounds, as a share of the median. Null for fewer than two rounds. */
internal fun spreadOf(rounds: List<AgentRound>): Double? {
    val rates = rounds.map { it.requestsPerSecond }
    if (rates.size < 2) return null
    return median(rates).takeIf { it > 0 }?.let { (rates.max() - rates.min()) / it }
}

/** The same without the round farthest from the median; 0 where nothing is left to compare. */
private fun spreadWithoutTheFarthest(rounds: List<AgentRound>): Double {
    val middle = median(rounds.map { it.requestsPerSecond })
    return spreadOf(rounds.sortedBy { abs(it.requestsPerSecond - middle) }.dropLast(1)) ?: 0.0
}
