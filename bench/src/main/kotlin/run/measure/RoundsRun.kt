package threadgauge.run.measure

import threadgauge.model.Sample
import threadgauge.model.Situation
import threadgauge.model.plan.NextStep
import threadgauge.model.plan.RoundsRule
import threadgauge.model.plan.Slice
import threadgauge.plan.RoundOrder
import threadgauge.plan.Slicing
import threadgauge.plan.slicingsOf
import threadgauge.run.MeasuredPart
import threadgauge.run.RunContext
import threadgauge.run.RunEvent
import threadgauge.run.Surrounding
import threadgauge.run.TrialRun
import threadgauge.run.undisturbed

/**
 * The rounds of one block. In each round, every living process is loaded for a slice in each situation, in an order
 * drawn anew. So a disturbance of the machine that outlasts a round affects all alike. A process has as many rounds in
 * a situation as its load has slices for it. Belongs to the run's thread.
 */
internal class RoundsRun(
    private val context: RunContext,
    private val surrounding: Surrounding,
    private val rule: RoundsRule,
    private val block: Int,
    private val asked: NextStep.Block,
) {
    /**
     * [run] in its rounds. A request in a situation typically takes [typicalNanos], the median of its warm-up.
     * [attempt] runs a step and returns false if that failed; the process is then out, and [isIn] returns false.
     */
    class Participant(
        val run: TrialRun,
        val typicalNanos: (String) -> Long,
        val isIn: () -> Boolean,
        val attempt: (() -> Unit) -> Boolean,
    ) {
        private val slices = ArrayList<Slice>()
        private val sums = run.situations.associate { it.name to LoadSum(it) }
        private var putOffMillis = HashMap<String, Double?>()

        /** Adds a measured slice. */
        fun add(slice: MeasuredSlice) {
            val situation = slice.situation.name
            sums.getValue(situation).add(slice.load)
            slices += slice.load.slice(situation, slice.round)
            val before = putOffMillis.getOrDefault(situation, 0.0)
            putOffMillis[situation] = slice.putOff?.let { before?.plus(it) }
        }

        /** The samples of the slices so far, as of the last [keep]. */
        var samples: List<Sample> = emptyList()
            private set

        /** Records the slices so far, and the samples made of them. */
        fun keep() {
            samples = run.situations.filterNot { sums.getValue(it.name).isEmpty }.map {
                run.measuring.keep(run.planned, it, sums.getValue(it.name)).copy(putOffMillis = putOffMillis[it.name])
            }
            run.keep(samples, slices.toList())
        }
    }

    /**
     * Runs all rounds, or until the time limit of the block after [MIN_ROUNDS]. [check] is called before each round; it
     * throws if the processes cannot go on together, and may take one out.
     */
    fun run(participants: List<Participant>, check: () -> Unit) {
        if (participants.isEmpty()) return
        val planned = context.plan.experiment.situations.map { situation ->
            val typical = participants.map { it.typicalNanos(situation.name) }
            situation.name to participants.zip(slicingsOf(situation, rule, typical)).toMap()
        }
        val plannedRounds = planned.maxOf { (_, slicings) -> slicings.values.maxOf { it.parts } }
        val rounds = asked.rounds ?: plannedRounds
        val cuts = planned.map { (name, slicings) ->
            name to slicings.mapValues { (_, slicing) -> slicing.scaled(rounds, plannedRounds) }
        }
        val order = RoundOrder(context.plan.seed, block)
        val living = participants.toMutableList()
        val endNanos = System.nanoTime() + (asked.maxSeconds?.times(1e9)?.toLong() ?: (Long.MAX_VALUE / 4))
        for (round in 1..rounds) {
            if (round > MIN_ROUNDS && System.nanoTime() - endNanos > 0) break
            check()
            living.retainAll { it.isIn() }
            for ((situation, slicings) in cuts) {
                val loaded = living.filter { slicings.getValue(it).isIn(round, rounds) }
                if (loaded.isEmpty()) continue
                context.undisturbed(MeasuredPart(block, situation, round)) {
                    context.tell(RunEvent.RoundStarted(round, rounds, situation))
                    order.shuffled(loaded)
                        .mapNotNull { one -> one.slice(situation, slicings.getValue(one), round)?.let { one to it } }
                        .also { living.retainAll { one -> one.isIn() } }
                }.forEach { (one, slice) -> one.add(slice) }
            }
            living.retainAll { one -> one.attempt(one::keep) }
        }
        living.forEach { one -> one.samples.forEach { context.tell(RunEvent.Measured(one.run.planned, it)) } }
    }

    /** Null if the process failed. */
    private fun Participant.slice(name: String, slicing: Slicing, round: Int): MeasuredSlice? {
        var slice: MeasuredSlice? = null
        attempt {
            context.cancellation.check()
            val situation = run.situations.first { it.name == name }
            val putOff = run.measuring.awaitQuiescence(run.planned, situation)
            val load = slicing.load(situation.load, (block - 1) * MAX_ROUNDS + round)
            val measured = run.measuring.loaded(run.planned, situation.copy(load = load), slicing.leadInNanos)
            surrounding.services.death()?.let { throw it }
            slice = MeasuredSlice(situation, measured, round, putOff)
        }
        return slice
    }

    /** One load of a round; [putOff] is as [Sample.putOffMillis]. */
    class MeasuredSlice(val situation: Situation, val load: MeasuredLoad, val round: Int, val putOff: Double?)

    private companion object {
        /** More rounds than a block ever has, so that no two slices of a run share a number, and with it a seed. */
        const val MAX_ROUNDS = 1_000

        /** A block of one round does not show how much rounds vary. */
        const val MIN_ROUNDS = 2
    }
}
