package threadgauge.run.measure

import threadgauge.map.Place
import threadgauge.map.PlaceFound
import threadgauge.map.StackNumbers
import threadgauge.map.borderFactor
import threadgauge.map.brackets
import threadgauge.map.nextPlaces
import threadgauge.map.numbersOf
import threadgauge.map.placesFound
import threadgauge.model.judgement.map.Fit
import threadgauge.model.judgement.map.MapBorder
import threadgauge.model.plan.MapQuestion
import threadgauge.model.plan.Slice
import threadgauge.plan.RoundOrder
import threadgauge.run.MeasuredPart
import threadgauge.run.RunContext
import threadgauge.run.RunEvent
import threadgauge.run.Surrounding
import threadgauge.run.TrialRun
import threadgauge.run.undisturbed

/**
 * Explores a map with the living processes of one block: measures the places that [nextPlaces] chooses from what was
 * found so far, some at a time, in rounds, until nothing is left to look for or the clock shows [endNanos]. Belongs to
 * the run's thread.
 */
internal class MapRun(
    private val context: RunContext,
    private val surrounding: Surrounding,
    private val question: MapQuestion,
    private val block: Int,
    private val endNanos: Long,
) {
    /**
     * [run] on the map. [attempt] runs a step and returns false if that failed; the process is then out, and [isIn]
     * returns false.
     */
    class Participant(val run: TrialRun, val isIn: () -> Boolean, val attempt: (() -> Unit) -> Boolean) {
        private val slices = ArrayList<Slice>()

        /** The round of the next slice in the situation [name], counted from 1. */
        fun nextRound(name: String): Int = 1 + slices.count { it.situation == name }

        fun add(slice: Slice) {
            slices += slice
        }

        /** Records the slices so far. */
        fun keep() = run.keep(emptyList(), slices.toList())
    }

    private val order = RoundOrder(context.plan.seed, block)
    private val places = LinkedHashSet<Place>()

    /**
     * Explores until the end. [check] is called before each batch of places; it throws if the processes cannot go on
     * together, and may take one out.
     */
    fun run(participants: List<Participant>, check: () -> Unit) {
        while (true) {
            check()
            val living = participants.filter { it.isIn() }
            if (living.size < 2 || isOver) return
            val found = found()
            val next = nextPlaces(question, found).take(BATCH)
            if (next.isEmpty()) return
            val borders = brackets(question, found)
            val known = borders.count { borderFactor(question, it, found) <= MapBorder.WELL_KNOWN }
            repeat(ROUNDS) { round ->
                // Two rounds that tell all are enough; a single one may have met a burst.
                val told = if (round < MIN_ROUNDS) emptySet() else told()
                for (place in order.shuffled(next - told)) {
                    if (isOver) return
                    if (round == 0) {
                        places += place
                        val name = question.nameOf(place.column, place.row)
                        context.tell(RunEvent.PlaceStarted(places.size, name, borders.size, known))
                    }
                    measure(place, living.filter { it.isIn() }, found)
                }
            }
        }
    }

    private val isOver get() = System.nanoTime() - endNanos > 0

    /** Places at which no stack is open. */
    private fun told(): Set<Place> =
        found().filter { place -> place.fits.values.none { it == Fit.OPEN } }.mapTo(HashSet()) { it.at }

    private fun found() = placesFound(question, context.writer.record.trials)

    private fun measure(place: Place, living: List<Participant>, found: List<PlaceFound>) {
        val name = question.nameOf(place.column, place.row)
        val round = living.maxOfOrNull { it.nextRound(name) } ?: return
        context.undisturbed(MeasuredPart(block, name, round)) {
            order.shuffled(living).mapNotNull { one -> one.slice(place, round, found)?.let { one to it } }
        }.forEach { (one, slice) -> one.add(slice) }
        living.filter { it.isIn() }.forEach { one -> one.attempt(one::keep) }
    }

    /** By the numbers of the stack, as far as they are known. Some cost the same in a column alone. */
    private fun Participant.latencyGuess(place: Place, found: List<PlaceFound>): Double {
        val alike = found.filter { question.sheet.costsAlike || it.at.column == place.column }
        val numbers = numbersOf(question, run.planned.stack, alike)
            ?: StackNumbers(cpuSeconds = FIRST_CPU_SECONDS, aloneSeconds = FIRST_ALONE_SECONDS)
        return numbers.latencySeconds(question.users[place.row].toDouble(), question.waitMillis(place.column) / 1e3)
    }

    /** Null if the process failed. */
    private fun Participant.slice(place: Place, round: Int, found: List<PlaceFound>): Slice? {
        var slice: Slice? = null
        attempt {
            var taken = slice(place, round, latencyGuess(place, found))
            val seen = taken.latency.p50Micros / 1e6
            // A slice that is short for its latencies shows the beginning more than the load.
            if (taken.windowMillis / 1e3 < FEWEST_LATENCIES * seen) taken = slice(place, round, seen)
            slice = taken
        }
        return slice
    }

    /** A slice for requests that take about [latencySeconds]. */
    private fun Participant.slice(place: Place, round: Int, latencySeconds: Double): Slice {
        context.cancellation.check()
        val leadIn = maxOf(MIN_LEAD_IN_SECONDS, LEAD_IN_LATENCIES * latencySeconds).coerceAtMost(MAX_LEAD_IN_SECONDS)
        val window = maxOf(MIN_SLICE_SECONDS, LATENCIES * latencySeconds).coerceAtMost(MAX_SLICE_SECONDS)
        val asked = run.situationFor(question.situation(place.column, place.row, nanos(leadIn + window)))
        run.measuring.awaitQuiescence(run.planned, asked)
        val load = run.measuring.loaded(run.planned, asked, nanos(leadIn))
        surrounding.services.death()?.let { throw it }
        return load.slice(asked.name, round).copy(rssBytesMax = load.cost.rssBytesMax)
    }

    private companion object {
        /** So many places are measured in rounds together, before what they say chooses the next ones. */
        const val BATCH = 8
        const val ROUNDS = 3
        const val MIN_ROUNDS = 2

        /** Until a process was measured: as many requests as a small server answers. */
        const val FIRST_CPU_SECONDS = 2e-4
        const val FIRST_ALONE_SECONDS = 1e-3

        /** Each slice costs as much again for its lead-in and for the wait until the server is quiet. */
        const val MIN_SLICE_SECONDS = 1.2
        const val MIN_LEAD_IN_SECONDS = 0.2

        /** A queue of so many seconds is one, however long it is measured. */
        const val MAX_SLICE_SECONDS = 15.0
        const val MAX_LEAD_IN_SECONDS = 6.0

        /** A slice has so many latencies: of a closed load, only those at its ends are cut. */
        const val LATENCIES = 4.0
        const val FEWEST_LATENCIES = 2.5

        /** By then every user is in a second request. */
        const val LEAD_IN_LATENCIES = 2.0

        fun nanos(seconds: Double): Long = (seconds * 1e9).toLong()
    }
}
