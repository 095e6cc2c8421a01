package threadgauge.knee

import threadgauge.model.Environment
import threadgauge.model.KneeQuestion
import threadgauge.model.Load
import threadgauge.model.Probe
import threadgauge.model.judgement.JudgedProbe
import threadgauge.model.judgement.MAX_SHARE_OF_CEILING
import threadgauge.model.judgement.ProbeOutcome
import threadgauge.stats.Throughput

/**
 * What one process has shown of its knee so far. Pure: the run asks it what to do next, and the judge asks it what
 * came of it.
 */
class KneeSteps(
    private val question: KneeQuestion,
    private val environment: Environment,
    /** Knees of the processes before this one: a good place to begin. */
    private val before: List<Double> = emptyList(),
) {
    /** How many users the next closed load has; null when enough is known, from this process or from one before it. */
    fun users(probes: List<Probe>): Int? =
        if (before.isNotEmpty()) null else nextConcurrency(throughputs(probes), agentLimit() ?: Double.MAX_VALUE)

    /** The next open load, or why there is none. */
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

    /** The agent, not `--to`, keeps the search from going higher. */
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

/** A probe beyond what the agent can do says nothing; a tenth less may. */
private const val BELOW_THE_AGENTS_LIMIT = 0.9

/**
 * Goals about latency are broken before a server is full, and so the search begins with something that is likely to
 * be kept.
 */
private const val BELOW_MAX_THROUGHPUT = 0.7
private const val BELOW_THE_LAST_KNEE = 0.9

/** Where nothing else limits it: more than any agent has done. */
private const val MAX_PER_SECOND = 10_000_000.0
