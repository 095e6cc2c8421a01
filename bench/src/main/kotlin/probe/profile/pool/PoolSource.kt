package threadgauge.probe.profile.pool

import threadgauge.model.profile.Pool

/** Something that reports pools of a process. Belongs to one thread. */
internal interface PoolSource {
    /** Looks for pools, once and before any [read]. May throw what its way of asking throws. */
    fun find()

    /** Reads all of them once. May throw likewise. */
    fun read()

    /** Means over all readings; a pool that does not report what is in use is left out. */
    fun pools(): List<Pool>
}

/** All pools of several [sources]. Of a kind that more than one of them reports, the first in their order counts. */
internal class AllPools(private val sources: List<PoolSource>) : PoolSource {
    override fun find() = each { it.find() }

    override fun read() = each { it.read() }

    override fun pools(): List<Pool> = sources.fold(emptyList()) { known, source ->
        val kinds = known.map { it.kind }.toSet()
        known + source.pools().filter { it.kind !in kinds }
    }

    /** Asks all of them, then throws the first failure: what one cannot tell another may. */
    private fun each(ask: (PoolSource) -> Unit) {
        val failures = sources.mapNotNull { runCatching { ask(it) }.exceptionOrNull() }
        failures.firstOrNull()?.let { throw it }
    }
}
