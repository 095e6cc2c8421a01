package threadgauge.judge.doubt

import threadgauge.model.Environment
import threadgauge.model.Record
import threadgauge.model.Sample
import threadgauge.model.Situation
import threadgauge.model.Stack
import threadgauge.model.Trial
import threadgauge.model.judgement.Doubt
import threadgauge.model.judgement.Validity

/** What a rule saw that should not be, and how bad it is. */
internal class Sight(val validity: Validity, val seen: String)

internal fun suspect(seen: String) = Sight(Validity.SUSPECT, seen)

internal fun invalid(seen: String) = Sight(Validity.INVALID, seen)

/** Worth knowing, and no reason to trust the figure less. */
internal fun note(seen: String) = Sight(Validity.VALID, seen)

/**
 * One reason to doubt a result. [name] is stable; [source] says why the threshold is where it is; [remedy] is what the user can
 * do. A rule sees one measurement, one cell or the whole run, and nothing else.
 */
internal sealed class DoubtRule(val name: String, val source: String, val remedy: String) {
    protected fun doubt(sight: Sight?) = sight?.let { Doubt(name, it.seen, remedy, it.validity, source) }
}

/** About a single measurement: one stack in one situation in one trial. */
internal class SampleRule(name: String, source: String, remedy: String, private val look: (Evidence) -> Sight?) :
    DoubtRule(name, source, remedy) {
    fun examine(evidence: Evidence): Doubt? = doubt(look(evidence))
}

/** About a stack in a situation, all trials together. */
internal class CellRule(name: String, source: String, remedy: String, private val look: (CellEvidence) -> Sight?) :
    DoubtRule(name, source, remedy) {
    fun examine(evidence: CellEvidence): Doubt? = doubt(look(evidence))
}

/** About everything that was measured. */
internal class RunRule(name: String, source: String, remedy: String, private val look: (Record) -> Sight?) :
    DoubtRule(name, source, remedy) {
    fun examine(record: Record): Doubt? = doubt(look(record))
}

/** About a search for the knee. */
internal class KneeRule(name: String, source: String, remedy: String, private val look: (KneeEvidence) -> Sight?) :
    DoubtRule(name, source, remedy) {
    fun examine(evidence: KneeEvidence): Doubt? = doubt(look(evidence))
}

/** Everything known about one sample that can make it doubtful. */
internal class Evidence(val situation: Situation, val trial: Trial, val sample: Sample, val environment: Environment)

/** Everything known about one cell. [trials] are all that were begun, [samples] those that were measured. */
internal class CellEvidence(
    val situation: Situation,
    val stack: Stack,
    val record: Record,
    val trials: List<Trial>,
    val samples: List<Sample>,
)

/** Every doubt there is. */
internal val doubtRules: List<DoubtRule> =
    loadDoubts + agentDoubts + targetDoubts + machineDoubts + runDoubts + ownServiceDoubts + saleDoubts + kneeDoubts

/** The doubts about one cell, those about single measurements first. */
internal fun doubtsOf(evidence: List<Evidence>, cell: CellEvidence): List<Doubt> =
    doubtRules.filterIsInstance<SampleRule>().mapNotNull { shared(it, evidence) } +
        doubtRules.filterIsInstance<CellRule>().mapNotNull { it.examine(cell) }

/** The doubts about everything that was measured. */
internal fun doubtsOf(record: Record): List<Doubt> = doubtRules.filterIsInstance<RunRule>().mapNotNull { it.examine(record) }

/** The doubts about a search for the knee. */
internal fun doubtsOf(evidence: KneeEvidence): List<Doubt> = doubtRules.filterIsInstance<KneeRule>().mapNotNull { it.examine(evidence) }

/** A doubt that several trials share is told once, with the worst of them and their number. */
private fun shared(rule: SampleRule, evidence: List<Evidence>): Doubt? {
    val found = evidence.mapNotNull { rule.examine(it) }
    val worst = found.maxByOrNull { it.validity } ?: return null
    // A cell is invalid when most of its trials are; a single bad one widens the interval, and is told all the same.
    val invalid = found.count { it.validity == Validity.INVALID } * 2 > evidence.size
    val share = if (evidence.size > 1) " (in ${found.size} of ${evidence.size} trials)" else ""
    val validity = if (worst.validity == Validity.INVALID && !invalid) Validity.SUSPECT else worst.validity
    return worst.copy(seen = worst.seen + share, validity = validity)
}
