package threadgauge.probe.profile.pool

import threadgauge.model.profile.Pool
import threadgauge.model.profile.PoolKind

/**
 * Connections that a process has opened and not closed, as [count] finds them, by the other end: a client that does not
 * block has no thread that would show that its connections are used up.
 */
internal class OutgoingCounts(private val count: () -> Map<String, Int>) : PoolSource {
    private val readings = ArrayList<Map<String, Int>>()
    private var looks = 0

    override fun find() = Unit

    override fun read() {
        if (looks++ % EVERY == 0) readings += count()
    }

    /** The ends with the most connections. One that is missing in a reading had none at that moment. */
    override fun pools(): List<Pool> = readings.flatMap { it.keys }.distinct()
        .map { end -> Pool(end, PoolKind.OUTGOING, busy = readings.sumOf { it[end] ?: 0 }.toDouble() / readings.size) }
        .sortedByDescending { it.busy }.take(MOST)

    private companion object {
        /** Of so many looks one counts: the tables of a busy machine are long, and who reads them takes a core. */
        const val EVERY = 3

        /** Ends that a record keeps. */
        const val MOST = 5
    }
}
