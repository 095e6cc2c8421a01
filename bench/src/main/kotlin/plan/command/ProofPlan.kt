package threadgauge.plan.command

import threadgauge.experiment.combined
import threadgauge.experiment.yaml.slug
import threadgauge.model.Situation
import threadgauge.model.Stack
import threadgauge.model.advice.AdviceQuestion
import threadgauge.model.advice.Prediction
import threadgauge.model.advice.Proof
import threadgauge.model.judgement.advice.Advice
import threadgauge.model.judgement.advice.AdvisedChange
import threadgauge.model.judgement.advice.ChangeOutcome
import threadgauge.model.part
import threadgauge.model.plan.Plan
import threadgauge.plan.planRun
import threadgauge.plan.readGoal

/** The plan that carries changes out, and the ids of those that it leaves out for want of time. */
class ProofPlan(val plan: Plan, val leftOut: List<String>)

/** Why there is nothing to prove. */
enum class NoProof {
    /** A service at a URL was not started here, so it cannot be started with other settings. */
    RUNS_ALREADY,

    /** What an image starts is not known, so neither is where its settings would go. */
    IN_CONTAINER,

    /** A stack that is shipped has the settings that its description gives it. */
    IS_SHIPPED,

    /** No change is a setting whose effect was predicted. */
    NO_SETTING,
}

/** Null where the service of [plan] can be started with other settings. */
fun unprovable(plan: Plan): NoProof? = plan.stacks.single().let {
    when {
        it.url != null -> NoProof.RUNS_ALREADY
        it.container != null -> NoProof.IN_CONTAINER
        it.isShipped -> NoProof.IS_SHIPPED
        else -> null
    }
}

/**
 * A run of the service of [first] beside itself with each of the changes of [advice] that is a setting, those that gain
 * most first; null where there is none. It is by rounds, as every comparison is. What was predicted stands in the plan.
 */
fun planProof(first: Plan, advice: List<Advice>, order: AdviseOrder): ProofPlan? {
    val base = first.stacks.single()
    val all = advice.flatMap { each -> each.changes.mapNotNull { it.provable()?.let { found -> each to found } } }
        .distinctBy { (each, change) -> each.situation to change.advised.change.id }
    val ids = all.map { (_, change) -> change.advised.change.id }.distinct()
    if (ids.isEmpty()) return null
    val chosen = ids.take(MAX_CHANGES)
    val variants = chosen.associateWith { id -> variant(base, all.first { it.second.advised.change.id == id }.second) }
    val proofs = all.filter { (_, change) -> change.advised.change.id in chosen }.map { (each, change) ->
        val id = change.advised.change.id
        Proof(
            variants.getValue(id).name, base.name, each.situation, id, change.setting, change.prediction,
        )
    }
    val situations = advice.map { it.situation }.distinct()
        .map { name -> first.experiment.situations.first { it.name == name }.lasting(order) }
    return ProofPlan(proofRun(first, listOf(base) + variants.values, situations, proofs, order), ids - chosen.toSet())
}

private fun proofRun(
    first: Plan,
    stacks: List<Stack>,
    situations: List<Situation>,
    proofs: List<Proof>,
    order: AdviseOrder,
): Plan {
    val what = order.what
    val base = stacks.first().name
    val plain = first.experiment.withSituations(situations)
    val warmUp = if (what.warmUp == null) PROOF_WARM_UP_NANOS else plain.warmUp.budgetNanos
    val experiment = plain.copy(
        name = slug("prove $base").take(MAX_NAME_LENGTH).trimEnd('-'),
        question = "Do changes make $base as fast as predicted?",
        stacks = stacks.map { it.name },
        baselines = stacks.drop(1).associate { it.name to base },
        warmUp = plain.warmUp.copy(budgetNanos = warmUp),
    )
    val goal = readGoal(what.within, what.budget)
    val trials = (what.trials ?: PROOF_TRIALS).takeIf { goal == null }
    val plan = planRun(experiment, stacks, first.seed, trials = trials, services = first.services, goal = goal)
    return plan.copy(advice = AdviceQuestion(checkNotNull(first.advice).changes, proofs))
}

/** A change that is a setting, with its prediction. */
private class Provable(val advised: AdvisedChange, val setting: String, val prediction: Prediction)

private fun AdvisedChange.provable(): Provable? {
    val prediction = when (val outcome = outcome) {
        is ChangeOutcome.Gain -> outcome.prediction
        is ChangeOutcome.Nothing -> outcome.prediction
        ChangeOutcome.Unknown -> return null
    }
    return setting?.let { Provable(this, it, prediction) }
}

private fun variant(base: Stack, change: Provable): Stack {
    val size = change.advised.to?.let { Math.round(it).toString() }.orEmpty()
    val changed = base.changedBy(checkNotNull(change.advised.change.setting), size)
    val name = slug("${base.name} ${change.advised.change.id}").take(MAX_NAME_LENGTH).trimEnd('-')
    return changed.copy(name = name, title = change.advised.change.title)
}

/** Long enough for rounds, where nobody said how long. */
private fun Situation.lasting(order: AdviseOrder): Situation {
    if (order.what.length != null) return this
    val longer = load.part(PROOF_LOAD_NANOS, 0) ?: return this
    return combined(listOf(request), listOf(longer), connections).single().copy(name = name)
}

/** Each is a process more in every block. */
private const val MAX_CHANGES = 5
private const val MAX_NAME_LENGTH = 60

/** An interval needs three. */
private const val PROOF_TRIALS = 3
private const val PROOF_LOAD_NANOS = 6_000_000_000L
private const val PROOF_WARM_UP_NANOS = 20_000_000_000L
