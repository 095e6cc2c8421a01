package threadgauge.run.measure

import kotlin.time.Duration
import threadgauge.plan.RoundOrder

/**
 * The searches for the knees of one block: each process gets one load at a time, in an [order] drawn anew, until all
 * searches are over, so that what the machine does for longer than a turn meets all alike. Belongs to the run's thread.
 */
internal class KneeTurns(private val order: RoundOrder) {
    /**
     * One [search]. [attempt] does a step of it, and returns false where that has failed and the process is out, as
     * [isIn] says from then on.
     */
    class Participant(
        val search: KneeSearchRun,
        val isIn: () -> Boolean,
        val attempt: (() -> Unit) -> Boolean,
    )

    private val participants = ArrayList<Participant>()

    /** The time that the probes of all take at most. */
    val left: Duration
        get() = participants.filter { it.isIn() }.fold(Duration.ZERO) { sum, one -> sum + one.search.left }

    fun add(one: Participant) {
        participants += one
    }

    /**
     * [check] is called before each turn: it throws where the processes cannot go on together, and may take one out.
     */
    fun run(check: () -> Unit) {
        var searching: List<Participant> = participants
        while (searching.isNotEmpty()) {
            check()
            searching = order.shuffled(searching.filter { it.isIn() }).filter { it.step() }
        }
    }

    /** False where the search is over, or the process is out. */
    private fun Participant.step(): Boolean {
        var goesOn = false
        return attempt { goesOn = search.step() } && goesOn
    }
}
