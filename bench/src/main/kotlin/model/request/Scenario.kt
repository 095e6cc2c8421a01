package threadgauge.model.request

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import threadgauge.model.Situation
import threadgauge.model.Think
import threadgauge.model.meanNanos
import threadgauge.model.of
import threadgauge.model.think

/**
 * What a user does: requests one after the other, each sent after the answer to the one before it. Of several
 * scenarios, each user draws one in proportion to its [weight], again for every pass.
 */
@Serializable
data class Scenario(
    /** Unique in its situation. */
    val name: String,
    /** Above 0; shares follow from the sum over all scenarios. */
    val weight: Double,
    val steps: List<Step>,
    /** Indices into [steps] in the order of a pass, where steps are repeated; empty: each once, in their order. */
    val order: List<Int> = emptyList(),
) {
    /** Indices into [steps] in the order of a pass. */
    val course: List<Int> get() = order.ifEmpty { steps.indices.toList() }

    /** Length of a pass with requests of [typicalNanos] each and the longest pauses, in nanoseconds. */
    fun passNanos(typicalNanos: Long): Long = course.sumOf { typicalNanos + (steps[it].think?.maxNanos ?: 0) }

    /** Names of all values that its steps keep, without duplicates. */
    val kept: List<String> get() = steps.flatMap { it.keep.keys }.distinct()
}

/** A step of a scenario, by their names. */
@Serializable
data class StepName(val scenario: String, val step: String)

/** A request of a [Scenario]. Its templates may also have `{name}` for a value that a step before it has kept. */
@Serializable
data class Step(
    /** Unique in its scenario. */
    val name: String,
    val request: Request,
    /** What is kept of a correct answer, by the names that later steps use. An answer without it is a failure. */
    val keep: Map<String, Kept> = emptyMap(),
    /** Pause between the answer and what the user does next. */
    val think: Think? = null,
    /** If this step fails, the user goes on with the next one; otherwise its pass ends. */
    val goesOn: Boolean = false,
)

/** Where a kept value is in an answer. */
@Serializable
sealed interface Kept {
    /** A field of a JSON body, by its path, such as `items.0.id`. */
    @Serializable
    @SerialName("json")
    data class Json(val path: String) : Kept

    /** The first header of this name, whatever its case. */
    @Serializable
    @SerialName("header")
    data class Header(val name: String) : Kept

    /** The value of the cookie of this name that the answer sets. */
    @Serializable
    @SerialName("cookie")
    data class Cookie(val name: String) : Kept

    /** The first match of a regular expression in the body: its first group, or all of it without a group. */
    @Serializable
    @SerialName("pattern")
    data class Pattern(val regex: String) : Kept
}

/**
 * Mean pause between an answer and the next request of the same user, in nanoseconds: that of the load, which is
 * between passes, and those of the steps. 0 without any, and for an open load without scenarios.
 */
val Situation.meanThinkNanos: Double
    get() {
        val ofLoad = load.think?.meanNanos ?: 0.0
        if (scenarios.isEmpty()) return ofLoad
        val weights = scenarios.sumOf { it.weight }
        fun mean(of: (Scenario) -> Double) = scenarios.sumOf { it.weight * of(it) } / weights
        val pauses = mean { scenario -> scenario.course.sumOf { scenario.steps[it].think?.meanNanos ?: 0.0 } }
        return (ofLoad + pauses) / mean { it.course.size.toDouble() }
    }

/** The same without pauses: for warm-up, where users should keep the target busy. */
fun Scenario.withoutThinking(): Scenario = copy(steps = steps.map { it.copy(think = null) })
