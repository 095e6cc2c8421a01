package threadgauge.model

import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonNames

/**
 * What a run will do, in order. Each trial is one fresh process of one stack in which every situation is measured once.
 * Trials are interleaved in a seeded random order, so that a drift of the machine falls on all stacks alike.
 */
@Serializable
data class Plan(
    val experiment: Experiment,
    val stacks: List<Stack>,
    @JsonNames("turns") val trials: List<PlannedTrial>,
    val seed: Long,
    val quick: Boolean,
    /**
     * In each trial the knee is looked for, instead of measuring the situations, of which the one there is says what to
     * send.
     */
    val knee: KneeQuestion? = null,
    /** What is started beside the stacks, because some request needs it. */
    val services: List<Service> = emptyList(),
) {
    /**
     * [Stack.title] by name. Where one stack is all others without options, what they have in common is left out of
     * theirs: "AOT cache of the JDK" beside "Spring MVC on Tomcat, platform threads".
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
 * A trial to come: a fresh process of [stack], its [number]th, counted from 1. [situations] are names in the order of
 * measurement.
 */
@Serializable
data class PlannedTrial(val stack: String, @JsonNames("repeat") val number: Int, val situations: List<String>)
