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

/** A doubt for people: what was [seen], what to do about it, and why the limit is where it is. */
internal class DoubtWords(val seen: String, val remedy: String, val source: String)

/** What was seen, with figure and limit, and in how many trials. */
internal val Doubt.seen: String get() =
    facts.words().seen + trials?.let { " (in ${it.found} of ${it.of} trials)" }.orEmpty()

/** What the user can do about it. */
internal val Doubt.remedy: String get() = facts.words().remedy

/** Why the limit is where it is: a formula, a measurement or a publication. */
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
