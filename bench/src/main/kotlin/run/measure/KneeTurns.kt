package threadgauge.run.measure

import kotlin.time.Duration
import threadgauge.plan.RoundOrder

/**
 * Interleaves the knee searches of one block: in each round every process gets one load, in an [order] drawn anew,
 * until all searches are over. So a disturbance of the machine that outlasts a turn affects all alike. Belongs to the
 * run's thread.
 */
internal class KneeTurns(private val order: RoundOrder) {
    /**
     * One [search]. [attempt] runs a step of it and returns false if that failed; the process is then out, and [isIn]
     * returns false.
     */
    class Participant(
        val search: KneeSearchRun,
        val isIn: () -> Boolean,
        val attempt: (() -> Unit) -> Boolean,
    )

    private val participants = ArrayList<Participant>()

    /** The most time that the remaining probes of all searches take. */
    val left: Duration
        get() = participants.filter { it.isIn() }.fold(Duration.ZERO) { sum, one -> sum + one.search.left }

    fun add(one: Participant) {
        participants += one
    }

    /**
     * Runs all searches to their end. [check] is called before each round; it throws if the processes cannot go on
     * together, and may take one out.
     */
    fun run(check: () -> Unit) {
        var searching: List<Participant> = participants
        while (searching.isNotEmpty()) {
            check()
            searching = order.shuffled(searching.filter { it.isIn() }).filter { it.step() }
        }
    }

    /** False if the search is over, or the process is out. */
    private fun Participant.step(): Boolean {
        var goesOn = false
        return attempt { goesOn = search.step() } && goesOn
    }
}
