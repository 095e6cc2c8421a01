package threadgauge.judge.doubt

import threadgauge.model.Environment
import threadgauge.model.Record
import threadgauge.model.Sample
import threadgauge.model.Situation
import threadgauge.model.Stack
import threadgauge.model.Trial
import threadgauge.model.doubt.Amounts
import threadgauge.model.doubt.Doubt
import threadgauge.model.doubt.DoubtFacts
import threadgauge.model.doubt.DoubtId
import threadgauge.model.doubt.TrialShare
import threadgauge.model.judgement.Validity
import threadgauge.model.plan.Plateau

/** The facts that a rule found, their validity, and the number of trials where the rule counts them itself. */
internal class DoubtResult(val validity: Validity, val facts: DoubtFacts, val trials: TrialShare? = null)

internal fun suspect(facts: DoubtFacts) = DoubtResult(Validity.SUSPECT, facts)

internal fun invalid(facts: DoubtFacts) = DoubtResult(Validity.INVALID, facts)

/** Worth knowing, but no reason to trust the figure less. */
internal fun note(facts: DoubtFacts) = DoubtResult(Validity.VALID, facts)

/** One reason to doubt a result, identified by [id]. A rule sees only one measurement, one cell or the whole run. */
internal sealed class DoubtRule(val id: DoubtId) {
    protected fun doubt(result: DoubtResult?): Doubt? = result?.let {
        check(it.facts.id == id) { "the rule $id found ${it.facts.id}" }
        Doubt(it.facts, it.validity, it.trials)
    }
}

/** About a single measurement: one stack in one situation in one trial. */
internal class SampleRule(id: DoubtId, private val look: (Evidence) -> DoubtResult?) : DoubtRule(id) {
    fun examine(evidence: Evidence): Doubt? = doubt(look(evidence))
}

/** About a stack in a situation, over all trials. */
internal class CellRule(id: DoubtId, private val look: (CellEvidence) -> DoubtResult?) : DoubtRule(id) {
    fun examine(evidence: CellEvidence): Doubt? = doubt(look(evidence))
}

/** About the whole run. */
internal class RunRule(id: DoubtId, private val look: (Record) -> DoubtResult?) : DoubtRule(id) {
    fun examine(record: Record): Doubt? = doubt(look(record))
}

/** About a search for the knee. */
internal class KneeRule(id: DoubtId, private val look: (KneeEvidence) -> DoubtResult?) : DoubtRule(id) {
    fun examine(evidence: KneeEvidence): Doubt? = doubt(look(evidence))
}

/** The input of a [SampleRule]. */
internal class Evidence(val situation: Situation, val trial: Trial, val sample: Sample, val environment: Environment)

/**
 * The input of a [CellRule]. [trials] are all that were started, [samples] those that were measured; [plateau] is that
 * of the cell.
 */
internal class CellEvidence(
    val situation: Situation,
    val stack: Stack,
    val record: Record,
    val trials: List<Trial>,
    val samples: List<Sample>,
    val plateau: Plateau?,
)

/** All rules. */
internal val doubtRules: List<DoubtRule> =
    loadDoubts + agentDoubts + targetDoubts + machineDoubts + runDoubts + ownServiceDoubts + saleDoubts + kneeDoubts

/** The doubts about one cell, those about single measurements first. */
internal fun doubtsOf(evidence: List<Evidence>, cell: CellEvidence): List<Doubt> =
    doubtRules.filterIsInstance<SampleRule>().mapNotNull { shared(it, evidence) } +
        doubtRules.filterIsInstance<CellRule>().mapNotNull { it.examine(cell) }

/** The doubts about the whole run. */
internal fun doubtsOf(record: Record): List<Doubt> =
    doubtRules.filterIsInstance<RunRule>().mapNotNull { it.examine(record) }

/** The doubts about a search for the knee. */
internal fun doubtsOf(evidence: KneeEvidence): List<Doubt> =
    doubtRules.filterIsInstance<KneeRule>().mapNotNull { it.examine(evidence) }

/** A doubt of several trials is reported once, with the facts of the worst trial and the number of trials. */
private fun shared(rule: SampleRule, evidence: List<Evidence>): Doubt? {
    val found = evidence.mapNotNull { rule.examine(it) }
    val worst = found.maxWithOrNull(compareBy<Doubt> { it.validity }.thenBy { it.facts.badness }) ?: return null
    // A cell is invalid if most of its trials are. A single invalid trial widens the interval, and is reported, too.
    val invalid = found.count { it.validity == Validity.INVALID } * 2 > evidence.size
    val validity = if (worst.validity == Validity.INVALID && !invalid) Validity.SUSPECT else worst.validity
    val amounts = found.filter { it.facts::class == worst.facts::class }.mapNotNull { it.facts.amount }
    return worst.copy(
        validity = validity,
        trials = TrialShare(found.size, evidence.size),
        amounts = if (amounts.isEmpty()) null else Amounts(amounts.min(), amounts.max()),
    )
}
