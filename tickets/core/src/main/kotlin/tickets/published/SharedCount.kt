package threadgauge.tickets.published

import threadgauge.tickets.rules.EventId

/** Seats that are left of each event, in a fast store that services share. The last write wins. */
interface SharedCount {
    /** Null if none was written. */
    suspend fun read(event: EventId): Int?

    suspend fun write(event: EventId, remaining: Int)
}

/** One lock per event, shared by services. It has a lease: an owner that pauses for longer loses it without notice. */
interface SharedLock {
    suspend fun <T> withLock(event: EventId, block: suspend () -> T): T
}
