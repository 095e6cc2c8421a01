package threadgauge.judge.ceiling

import threadgauge.model.judgement.Ceiling
import threadgauge.model.judgement.CeilingCause
import threadgauge.model.judgement.HeldThing
import threadgauge.model.judgement.cause.Because
import threadgauge.model.judgement.cause.Holder
import threadgauge.model.judgement.cause.ThreadRole

/**
 * The ceiling of a service of which no setting is known: the pool that, by its profile, holds it at [perSecond]. Each
 * request holds one of the pool's for its size ÷ the throughput (utilization law with a utilization of 1). Null where
 * something else holds it, where threads are busy with work of their own, and where the size is unknown.
 */
internal fun heldCeiling(because: Because?, perSecond: Double?): Ceiling? {
    if (perSecond == null || perSecond <= 0) return null
    return heldBy(because?.holder, perSecond)?.let { Ceiling(it, perSecond, reached = true) }
}

private fun heldBy(holder: Holder?, perSecond: Double): CeilingCause.Held? {
    fun held(count: Int, of: HeldThing, name: String?) = CeilingCause.Held(count, of, name, count * 1e3 / perSecond)
    return when (holder) {
        is Holder.ConnectionPool -> holder.max?.let { held(it, HeldThing.POOLED_CONNECTIONS, holder.name) }
        is Holder.RequestThreads -> holder.doing?.let { _ ->
            val isRequest = holder.role == ThreadRole.REQUEST
            held(holder.threads, if (isRequest) HeldThing.REQUEST_THREADS else HeldThing.TASK_THREADS, holder.group)
        }
        else -> null
    }
}
