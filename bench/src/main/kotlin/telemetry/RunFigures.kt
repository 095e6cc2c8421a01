package threadgauge.telemetry

import threadgauge.model.plan.PlannedTrial
import threadgauge.run.RunEvent

/**
 * Makes figures of the events of a run of [experiment]. Points of a trial are kept for [KEPT_NANOS] after its block has
 * ended, so that a long run does not export ever more of them: a collector keeps their last values. Owned by one
 * thread. [nanos] is a clock.
 */
internal class RunFigures(private val experiment: String, private val nanos: () -> Long = System::nanoTime) {
    private val figures = Figures()
    private val loads = LoadFigures(figures, ::attributesOf)
    private val ended = ArrayDeque<EndedTrials>()

    init {
        enter(RunPhase.BUILD)
    }

    /** All values now. */
    fun snapshot(): List<MetricPoints> {
        while (ended.isNotEmpty() && nanos() - ended.first().atNanos > KEPT_NANOS) {
            val trials = ended.removeFirst().trials
            figures.forget { it.isOf(trials) }
        }
        return figures.snapshot()
    }

    fun hear(event: RunEvent) {
        when (event) {
            is RunEvent.OfLoad -> {
                if (event is RunEvent.OfLoad.Started) enter(RunPhase.MEASURING)
                loads.hear(event)
            }
            is RunEvent.Planned, is RunEvent.AgentCalibrated, is RunEvent.Training, is RunEvent.Trained,
            is RunEvent.PodsReady ->
                enter(RunPhase.PREPARE)
            is RunEvent.BlockStarted -> {
                figures.set(Metric.BLOCK, ofRun, event.planned.first().number.toDouble())
                figures.set(Metric.ROUND, ofRun, 0.0)
                event.left?.let { figures.set(Metric.TIME_LEFT, ofRun, it.inWholeMilliseconds / 1e3) }
            }
            is RunEvent.TrialStarted -> enter(RunPhase.START)
            is RunEvent.Booted ->
                figures.set(Metric.TARGET_START, attributesOf(event.planned), event.boot.firstAnswerMillis / 1e3)
            is RunEvent.WarmedUp -> {
                enter(RunPhase.WARM_UP)
                val attributes = attributesOf(event.planned, event.iteration.situation)
                figures.set(Metric.WARM_UP_THROUGHPUT, attributes, event.iteration.answeredPerSecond)
            }
            is RunEvent.RoundStarted -> {
                enter(RunPhase.MEASURING)
                figures.set(Metric.ROUND, ofRun, event.round.toDouble())
            }
            is RunEvent.PlaceStarted -> enter(RunPhase.MEASURING)
            is RunEvent.TrialFailed -> loads.abandon()
            is RunEvent.BlockEnded -> blockEnded(event)
            is RunEvent.InTurns, is RunEvent.Paused, is RunEvent.PutOff, is RunEvent.Measuring, is RunEvent.Measured,
            is RunEvent.Probed, is RunEvent.Profiling,
            -> Unit
        }
    }

    /** The run is over, in whichever way. */
    fun end() {
        loads.abandon()
        enter(RunPhase.ENDED)
    }

    private val ofRun: PointAttributes get() = mapOf(Attribute.EXPERIMENT to experiment)

    private fun enter(phase: RunPhase) = RunPhase.entries.forEach {
        figures.set(Metric.PHASE, ofRun + (Attribute.PHASE to it.id), if (it == phase) 1.0 else 0.0)
    }

    private fun blockEnded(event: RunEvent.BlockEnded) {
        loads.abandon()
        figures.set(Metric.ROUND, ofRun, 0.0)
        ended += EndedTrials(event.planned, nanos())
        for (planned in event.planned) {
            val trial = event.record.trials.lastOrNull { it.stack == planned.stack && it.number == planned.number }
            val state = trial?.state?.name?.lowercase() ?: continue
            val attributes = ofRun + mapOf(Attribute.STACK to planned.stack, Attribute.TRIAL_STATE to state)
            figures.add(Metric.TRIALS, attributes, 1.0)
        }
        // No load is on any more.
        for (metric in listOf(Metric.LOAD_RATE, Metric.LOAD_USERS)) {
            event.planned.forEach { planned ->
                planned.situations.forEach { figures.remove(metric, attributesOf(planned, it)) }
            }
        }
    }

    private fun attributesOf(planned: PlannedTrial): PointAttributes =
        ofRun + mapOf(Attribute.STACK to planned.stack, Attribute.TRIAL to planned.number.toLong())

    private fun attributesOf(planned: PlannedTrial, situation: String): PointAttributes =
        attributesOf(planned) + (Attribute.SITUATION to situation)

    private fun PointAttributes.isOf(trials: List<PlannedTrial>) =
        trials.any { this[Attribute.STACK] == it.stack && this[Attribute.TRIAL] == it.number.toLong() }

    private class EndedTrials(val trials: List<PlannedTrial>, val atNanos: Long)

    private companion object {
        /** Twice the longest interval that is common for scraping. */
        const val KEPT_NANOS = 120_000_000_000L
    }
}
