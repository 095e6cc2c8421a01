package threadgauge.wording.doubt

import threadgauge.model.doubt.AgentDoubt
import threadgauge.model.doubt.Doubt
import threadgauge.model.doubt.DoubtFacts
import threadgauge.model.doubt.KneeDoubt
import threadgauge.model.doubt.LoadDoubt
import threadgauge.model.doubt.MachineDoubt
import threadgauge.model.doubt.OwnServiceDoubt
import threadgauge.model.doubt.RegressionDoubt
import threadgauge.model.doubt.RunDoubt
import threadgauge.model.doubt.SaleDoubt
import threadgauge.model.doubt.TargetDoubt

/** A doubt in words: what was [seen], the [remedy], and the [source] of the limit. */
internal class DoubtWords(val seen: String, val remedy: String, val source: String)

/** What was seen, with figure and limit, and the number of trials in which it was seen. */
internal val Doubt.seen: String get() =
    facts.words().seen + trials?.takeIf { it.of > 1 }?.let { " (in ${it.found} of ${it.of} trials)" }.orEmpty()

/** What the user can do about it. */
internal val Doubt.remedy: String get() = facts.words().remedy

/** The reason for the limit: a formula, a measurement or a publication. */
internal val Doubt.source: String get() = facts.words().source

internal fun DoubtFacts.words(): DoubtWords = when (this) {
    is AgentDoubt -> agentWords()
    is LoadDoubt -> loadWords()
    is TargetDoubt -> targetWords()
    is MachineDoubt -> machineWords()
    is RunDoubt -> runWords()
    is OwnServiceDoubt -> ownServiceWords()
    is SaleDoubt -> saleWords()
    is KneeDoubt -> kneeWords()
    is RegressionDoubt -> regressionWords()
}
