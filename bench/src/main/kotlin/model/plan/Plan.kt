package threadgauge.model.plan

import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonNames
import threadgauge.model.Experiment
import threadgauge.model.RemoteAgents
import threadgauge.model.Service
import threadgauge.model.Slo
import threadgauge.model.Stack
import threadgauge.model.advice.AdviceQuestion

/**
 * The plan of a run. Each trial is one fresh process of one stack, in which every situation is measured: in slices, in
 * turn with the other stacks of its block, or once as a whole. The order is random and seeded, so that a drift of the
 * machine affects all stacks alike.
 */
@Serializable
data class Plan(
    val experiment: Experiment,
    val stacks: List<Stack>,
    @JsonNames("turns") val trials: List<PlannedTrial>,
    val seed: Long,
    val quick: Boolean,
    /** Each trial searches for the knee instead of measuring situations. The only situation defines the request. */
    val knee: KneeQuestion? = null,
    /** Services that requests need, which are started with the stacks. */
    val services: List<Service> = emptyList(),
    /**
     * The stacks of a block are alive together and measured in rounds. Null where each trial is measured by itself, one
     * after the other, as in all records before schema 4.
     */
    val rounds: RoundsRule? = null,
    /** The run plans itself: [trials] are the most that it may need. Null where it measures them all. */
    val goal: Goal? = null,
    /** Under which its record is found again, such as the name of a branch; null without one. */
    val savedAs: String? = null,
    /** The run looks for changes of the service, or carries some out; null where it does neither. */
    val advice: AdviceQuestion? = null,
    /** The search for the borders of a map chooses what is measured; null where the plan says it. */
    val map: MapQuestion? = null,
    /** Load agents on other machines; null where this machine sends the load. */
    val agents: RemoteAgents? = null,
) {
    /** Stacks are compared in situations; false for a search for knees, and for a map. */
    val comparesSituations: Boolean get() = knee == null && map == null

    /** The stacks of a block are alive together, and are measured in rounds or searched in turn. */
    val isSideBySide: Boolean get() = rounds != null || knee != null && stacks.size > 1

    /** Trials that are measured together: those of the same number, or each alone. */
    val blocks: List<List<PlannedTrial>> get() = blocksOf(trials)

    /** The same of some of its [trials]. */
    fun blocksOf(trials: List<PlannedTrial>): List<List<PlannedTrial>> =
        if (isSideBySide) trials.groupBy { it.number }.values.toList() else trials.map(::listOf)

    /** With these goals for every situation; the same where [slo] is null. */
    fun withGoals(slo: Slo?): Plan = copy(experiment = experiment.withGoals(slo))

    /** Without profiles where [no] is set; the same otherwise. */
    fun withoutCauses(no: Boolean): Plan = if (no) copy(experiment = experiment.copy(causes = false)) else this

    /** For a first look: without profiles, and with half of the time to warm up. */
    fun asFirstLook(): Plan {
        val shorter = experiment.warmUp.copy(budgetNanos = experiment.warmUp.budgetNanos / 2)
        return copy(experiment = experiment.copy(warmUp = shorter, causes = false))
    }

    /**
     * [Stack.title] by name. If one stack is all others without options, their titles omit the common part: "AOT cache
     * of the JDK" next to "Spring MVC on Tomcat, platform threads".
     */
    val titles: Map<String, String>
        get() {
            val plain = stacks.minByOrNull { it.title.length }?.title.orEmpty()
            val areKin = stacks.all { it.title == plain || it.title.startsWith("$plain, ") }
            return stacks.associate { stack ->
                stack.name to if (areKin) stack.title.removePrefix("$plain, ")
                    .replaceFirstChar { it.uppercase() } else stack.title
            }
        }
}

/**
 * A planned trial: a fresh process of [stack], its [number]th, counted from 1. [situations] are names in the order of
 * measurement.
 */
@Serializable
data class PlannedTrial(val stack: String, @JsonNames("repeat") val number: Int, val situations: List<String>)
