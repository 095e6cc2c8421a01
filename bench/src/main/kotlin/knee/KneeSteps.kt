package threadgauge.knee

import threadgauge.model.Environment
import threadgauge.model.Load
import threadgauge.model.judgement.JudgedProbe
import threadgauge.model.judgement.MAX_SHARE_OF_CEILING
import threadgauge.model.judgement.ProbeOutcome
import threadgauge.model.plan.KneeQuestion
import threadgauge.model.plan.Probe
import threadgauge.stats.Throughput

/** The search in one process so far. Pure: the run asks it for the next step, and the judge for the result. */
class KneeSteps(
    private val question: KneeQuestion,
    private val environment: Environment,
    /** Knees of earlier processes, at which the search can start. */
    private val before: List<Double> = emptyList(),
) {
    /** The number of users of the next closed load; null when enough is known, from this or an earlier process. */
    fun users(probes: List<Probe>): Int? =
        if (before.isNotEmpty()) null else nextConcurrency(throughputs(probes), agentLimit() ?: Double.MAX_VALUE)

    /** The next open load, or the reason why there is none. */
    fun rate(probes: List<Probe>): SearchStep {
        val judged = probes.map { judgeProbe(question.slo, 1, it, environment) }
        val open = judged.count { it.outcome != null }
        val step = nextStep(rule(judged), attempts(judged))
        return if (step is SearchStep.Try && open >= question.maxProbes) {
            SearchStep.Stop(SearchEnd.OUT_OF_ATTEMPTS)
        } else {
            step
        }
    }

    internal fun rule(judged: List<JudgedProbe>): SearchRule {
        val lowest = question.fromPerSecond
        val agent = listOfNotNull(agentLimit()) +
            judged.filter { it.outcome == ProbeOutcome.AGENT }.map { it.offeredPerSecond * BELOW_THE_AGENTS_LIMIT }
        val highest = (agent + listOfNotNull(question.toPerSecond)).minOrNull() ?: MAX_PER_SECOND
        return SearchRule(
            lowest = lowest,
            highest = maxOf(highest, lowest * 1.01),
            first = when {
                question.climb -> lowest
                before.isNotEmpty() -> before.average() * BELOW_THE_LAST_KNEE
                else -> {
                    val most = judged.filter { it.outcome == null }.maxOfOrNull { it.answeredPerSecond }
                    (most ?: lowest) * BELOW_MAX_THROUGHPUT
                }
            },
            growth = if (question.climb) 2.0 else 1.5,
            tolerance = question.tolerance,
            maxAttempts = question.maxProbes,
        )
    }

    /** The load agent limits the search, not `--to`. */
    internal fun isHeldByAgent(judged: List<JudgedProbe>): Boolean =
        rule(judged).highest < (question.toPerSecond ?: Double.MAX_VALUE)

    private fun agentLimit() = environment.agentCeiling?.let { it.requestsPerSecond * MAX_SHARE_OF_CEILING }
}

internal fun attempts(judged: List<JudgedProbe>): List<Attempt> = judged
    .filter { it.outcome == ProbeOutcome.KEPT || it.outcome == ProbeOutcome.BROKEN }
    .map { Attempt(it.offeredPerSecond, it.outcome == ProbeOutcome.KEPT) }

private fun throughputs(probes: List<Probe>) = probes.mapNotNull { probe ->
    (probe.load as? Load.Users)?.let { Throughput(it.users.toDouble(), probe.sample.perSecond) }
}

/** A probe above the maximum of the load agent says nothing; a rate a tenth lower may. */
private const val BELOW_THE_AGENTS_LIMIT = 0.9

/** A server misses latency goals before it is saturated, so the search starts at a rate that is likely to meet them. */
private const val BELOW_MAX_THROUGHPUT = 0.7
private const val BELOW_THE_LAST_KNEE = 0.9

/** Upper bound where nothing else limits the rate: more than any load agent can send. */
private const val MAX_PER_SECOND = 10_000_000.0
