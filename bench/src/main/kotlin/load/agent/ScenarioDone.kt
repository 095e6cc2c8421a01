package threadgauge.load.agent

import kotlinx.serialization.Serializable
import threadgauge.load.record.ScenarioRecorder
import threadgauge.load.record.StepRecorder
import threadgauge.model.Outcome

/** What came of the passes of one scenario. `begun = completed + failed + cut`. */
@Serializable
data class ScenarioDone(
    val begun: Long,
    val completed: Long,
    /** Ended by a step that failed. */
    val failed: Long,
    /** Under way when the load ended. */
    val cut: Long,
    /** Of completed passes, as [AgentMessage.Second.latency]: from the intended time to the last answer. */
    val duration: String,
    /** In the order of the scenario's steps. */
    val steps: List<StepDone>,
)

/** What came of the requests of one step. Histograms are as [AgentMessage.Second.latency]. */
@Serializable
data class StepDone(
    /** Correct answers. */
    val answered: Long,
    val unfinished: Long,
    val unsent: Long,
    val failures: Map<Outcome, Long>,
    /** From the intended time. */
    val latency: String,
    /** From sending, of correct answers. */
    val serviceTime: String,
)

/** One scenario over all event loops. */
internal fun scenarioDone(loops: List<ScenarioRecorder>) = ScenarioDone(
    begun = loops.sumOf { it.begun },
    completed = loops.sumOf { it.completed },
    failed = loops.sumOf { it.failed },
    cut = loops.sumOf { it.cut },
    duration = encode(sum(loops.map { it.duration })),
    steps = loops.first().steps.indices.map { index -> stepDone(loops.map { it.steps[index] }) },
)

private fun stepDone(loops: List<StepRecorder>) = StepDone(
    answered = loops.sumOf { it.answered },
    unfinished = loops.sumOf { it.unfinished },
    unsent = loops.sumOf { it.unsent },
    failures = Outcome.entries.associateWith { outcome -> loops.sumOf { it.failures[outcome.ordinal] } }
        .filterValues { it > 0 },
    latency = encode(sum(loops.map { it.latency })),
    serviceTime = encode(sum(loops.map { it.serviceTime })),
)

/** One scenario over the slices of a load. Adding is exact. */
internal fun mergeScenarios(parts: List<ScenarioDone>) = ScenarioDone(
    begun = parts.sumOf { it.begun },
    completed = parts.sumOf { it.completed },
    failed = parts.sumOf { it.failed },
    cut = parts.sumOf { it.cut },
    duration = encode(sum(parts.map { decode(it.duration) })),
    steps = parts.first().steps.indices.map { index -> mergeSteps(parts.map { it.steps[index] }) },
)

private fun mergeSteps(parts: List<StepDone>) = StepDone(
    answered = parts.sumOf { it.answered },
    unfinished = parts.sumOf { it.unfinished },
    unsent = parts.sumOf { it.unsent },
    failures = addUp(parts.map { it.failures }),
    latency = encode(sum(parts.map { decode(it.latency) })),
    serviceTime = encode(sum(parts.map { decode(it.serviceTime) })),
)
