package threadgauge.tickets.published

import threadgauge.tickets.rules.EventId

/** A number for each event in fast memory that services share: seats that are left, by the word of whoever wrote it last. */
interface SharedCount {
    /** Null where nobody has written one. */
    suspend fun read(event: EventId): Int?

    suspend fun write(event: EventId, remaining: Int)
}

/** A lock for each event that services share. Whoever stops for longer than its lease loses it without being told. */
interface SharedLock {
    suspend fun <T> withLock(event: EventId, block: suspend () -> T): T
}
