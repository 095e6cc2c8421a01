package threadgauge.run.measure

import threadgauge.model.NextStep
import threadgauge.model.RoundsRule
import threadgauge.model.Sample
import threadgauge.model.Situation
import threadgauge.model.Slice
import threadgauge.plan.RoundOrder
import threadgauge.plan.Slicing
import threadgauge.plan.slicingOf
import threadgauge.run.RunContext
import threadgauge.run.RunEvent
import threadgauge.run.Surrounding
import threadgauge.run.TrialRun

/**
 * The rounds of one block: in each, every living process is loaded for a slice in each situation, in an order drawn
 * anew, so that what the machine does for longer than a round meets all alike. Belongs to the run's thread.
 */
internal class RoundsRun(
    private val context: RunContext,
    private val surrounding: Surrounding,
    private val rule: RoundsRule,
    private val block: Int,
    private val asked: NextStep.Block,
) {
    /**
     * [run] in its rounds; a request to it typically takes [typicalNanos] in a situation. [attempt] does a step of it,
     * and returns false where that has failed and the process is out.
     */
    class Participant(
        val run: TrialRun,
        val typicalNanos: (String) -> Long,
        val attempt: (() -> Unit) -> Boolean,
    ) {
        private val slices = ArrayList<Slice>()
        private val sums = run.situations.associate { it.name to LoadSum(it.name) }
        private var putOffMillis = HashMap<String, Double?>()

        fun add(situation: Situation, load: MeasuredLoad, round: Int, putOff: Double?) {
            sums.getValue(situation.name).add(load)
            slices += load.slice(situation.name, round)
            val before = putOffMillis.getOrDefault(situation.name, 0.0)
            putOffMillis[situation.name] = if (before == null || putOff == null) null else before + putOff
        }

        /** What was measured so far. */
        var samples: List<Sample> = emptyList()
            private set

        fun keep() {
            samples = run.situations.filterNot { sums.getValue(it.name).isEmpty }.map {
                run.measuring.keep(run.planned, it, sums.getValue(it.name)).copy(putOffMillis = putOffMillis[it.name])
            }
            run.keep(samples, slices.toList())
        }
    }

    /** [check] throws where the processes cannot go on together. */
    fun run(participants: List<Participant>, check: () -> Unit) {
        if (participants.isEmpty()) return
        val planned = context.plan.experiment.situations.map { situation ->
            val typical = participants.maxOf { it.typicalNanos(situation.name) }
            situation.name to slicingOf(situation.load, rule, typical)
        }
        val plannedRounds = planned.maxOf { (_, slicing) -> slicing.parts }
        val rounds = asked.rounds ?: plannedRounds
        val slicings = planned.map { (name, slicing) -> name to slicing.scaled(rounds, plannedRounds) }
        val order = RoundOrder(context.plan.seed, block)
        val living = participants.toMutableList()
        val endNanos = System.nanoTime() + (asked.maxSeconds?.times(1e9)?.toLong() ?: (Long.MAX_VALUE / 2))
        for (round in 1..rounds) {
            if (round > MIN_ROUNDS && System.nanoTime() > endNanos) break
            check()
            for ((situation, slicing) in slicings) {
                if (!slicing.isIn(round, rounds)) continue
                context.tell(RunEvent.RoundStarted(round, rounds, situation))
                for (one in order.shuffled(living)) {
                    if (!one.attempt { one.slice(situation, slicing, round) }) living -= one
                }
            }
            living.retainAll { one -> one.attempt(one::keep) }
        }
        living.forEach { one -> one.samples.forEach { context.tell(RunEvent.Measured(one.run.planned, it)) } }
    }

    private fun Participant.slice(name: String, slicing: Slicing, round: Int) {
        context.cancellation.check()
        val situation = run.situations.first { it.name == name }
        val putOff = run.measuring.awaitQuiescence(run.planned, situation)
        val load = slicing.load(situation.load, (block - 1) * MAX_ROUNDS + round)
        val measured = run.measuring.loaded(run.planned, situation.copy(load = load), slicing.leadInNanos)
        surrounding.services.death()?.let { throw it }
        add(situation, measured, round, putOff)
    }

    private companion object {
        /** More than a block ever has. */
        const val MAX_ROUNDS = 1_000

        /** A block of one round says nothing about how much rounds vary. */
        const val MIN_ROUNDS = 2
    }
}
