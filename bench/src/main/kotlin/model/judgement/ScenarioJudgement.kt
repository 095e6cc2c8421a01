package threadgauge.model.judgement

import kotlinx.serialization.Serializable

/** What the users of one scenario met on one stack, over all trials. `begun = completed + failed + cut`. */
@Serializable
data class ScenarioJudgement(
    val name: String,
    /** Passes. */
    val begun: Long,
    val completed: Long,
    /** Ended by a step that failed. */
    val failed: Long,
    /** Under way when the load ended. */
    val cut: Long,
    /** Of completed passes, pauses included; null where none was completed. */
    val durationP50Millis: Figure? = null,
    val durationP95Millis: Figure? = null,
    /** In the order of the scenario. */
    val steps: List<StepJudgement>,
)

/** A step of a [ScenarioJudgement]. Latency counts from the intended time; null where nothing was answered. */
@Serializable
data class StepJudgement(
    val name: String,
    /** Correct answers. */
    val answered: Long,
    /** Without a correct answer, for any reason. */
    val failed: Long,
    val p50Millis: Figure? = null,
    val p95Millis: Figure? = null,
    val p99Millis: Figure? = null,
)
