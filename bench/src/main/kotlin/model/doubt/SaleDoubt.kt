package threadgauge.model.doubt

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** Doubts about a sale: a stack that breaks a promise cannot win. */
@Serializable
sealed interface SaleDoubt : DoubtFacts {
    /** Broken promises in the ledger after the loads, over all trials that broke one. */
    @Serializable
    @SerialName("promise-broken")
    data class PromiseBroken(
        /** Seats sold beyond capacity. */
        val oversold: Long,
        /** Reservations that were acknowledged and are not in the ledger. */
        val lost: Long,
        /** Reservations made twice for one idempotency key. */
        val duplicated: Long,
        /** Events that were oversold, of [events]; null where each load had one event. */
        val oversoldEvents: Int?,
        val events: Int,
    ) : SaleDoubt {
        override val id get() = DoubtId.PROMISE_BROKEN
    }
}
