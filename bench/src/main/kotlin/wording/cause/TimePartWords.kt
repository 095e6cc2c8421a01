package threadgauge.wording.cause

import threadgauge.model.judgement.cause.CodePlace
import threadgauge.model.judgement.cause.GroupWait
import threadgauge.model.judgement.cause.PartShare
import threadgauge.model.judgement.cause.TimeKind
import threadgauge.model.judgement.cause.TimePart
import threadgauge.wording.digits
import threadgauge.wording.percent

/** A part of the latency as a noun: "the sleep at Endpoints.kt:31". */
internal fun TimePart.words(): String = noun() + atPlace(place)

/** The same without the place. */
internal fun TimePart.noun(): String = when (kind) {
    TimeKind.CPU -> "its own work on the processor"
    TimeKind.READY -> "a free core"
    TimeKind.THREAD -> if (group == null) "a free thread" else "a free thread of $group"
    TimeKind.LOCK -> "the lock${on?.let { " ${lockName(it)}" }.orEmpty()}"
    TimeKind.CONNECTION_POOL -> free(on)
    TimeKind.DATABASE -> on ?: "the database"
    TimeKind.BACKEND -> if (on == null) "a backend" else "the backend $on"
    TimeKind.NAME_LOOKUP -> "the lookup of a host's name"
    TimeKind.FILE -> "a file"
    TimeKind.SLEEP -> "the sleep"
    TimeKind.OTHER_THREAD -> "the result of another thread"
    TimeKind.COLLECTOR -> "garbage collection"
    TimeKind.NETWORK -> "the network delay of the experiment"
    TimeKind.ASYNCHRONOUS -> "timers or answers that occupy no thread"
    TimeKind.UNACCOUNTED -> "what is not accounted for"
}

/** The label of a part in a table or in a legend. */
internal val TimeKind.label: String get() = when (this) {
    TimeKind.CPU -> "on the processor"
    TimeKind.READY -> "waiting for a core"
    TimeKind.THREAD -> "waiting for a thread"
    TimeKind.LOCK -> "waiting for a lock"
    TimeKind.CONNECTION_POOL -> "waiting for a connection"
    TimeKind.DATABASE -> "waiting for a database"
    TimeKind.BACKEND -> "waiting for a backend"
    TimeKind.NAME_LOOKUP -> "looking up a name"
    TimeKind.FILE -> "reading or writing a file"
    TimeKind.SLEEP -> "sleeping"
    TimeKind.OTHER_THREAD -> "waiting for another thread"
    TimeKind.COLLECTOR -> "garbage collection"
    TimeKind.NETWORK -> "network delay of the experiment"
    TimeKind.ASYNCHRONOUS -> "waiting without a thread"
    TimeKind.UNACCOUNTED -> "not accounted for"
}

/** What is waited for, in a table: the group, lock, pool, database or backend; null where it has no name. */
internal val TimePart.thing: String? get() = group ?: on?.let { if (kind == TimeKind.LOCK) lockName(it) else it }

/** "PostgreSQL at Shop.kt:44 (83 %, 3.00 times per request)". */
internal fun PartShare.words(): String {
    val times = part.timesPerRequest?.takeIf { part.kind in CALLS && it >= REPEATED }
    return "${part.words()} (${percent(share)}${times?.let { ", ${digits(it)} times per request" }.orEmpty()})"
}

private val CALLS = setOf(TimeKind.DATABASE, TimeKind.BACKEND, TimeKind.NAME_LOOKUP)

/** A request that calls once says nothing, even if some call twice. */
private const val REPEATED = 1.5

/** What keeps a thread from its work: "in Thread.sleep at Endpoints.kt:31". */
internal fun GroupWait.words(): String = when (kind) {
    TimeKind.DATABASE -> "in a socket read (${on ?: "database"})"
    TimeKind.BACKEND -> if (on == null) "waiting for a backend" else "in a socket read from $on"
    TimeKind.LOCK -> "waiting for the lock${on?.let { " ${lockName(it)}" }.orEmpty()}${inMethod(place)}"
    TimeKind.CONNECTION_POOL -> "waiting for ${free(on)}"
    TimeKind.FILE -> "with a file"
    TimeKind.NAME_LOOKUP -> "looking up a host's name"
    TimeKind.SLEEP -> "in ${place?.method ?: "Thread.sleep"}"
    else -> place?.method?.let { "waiting in $it" } ?: "waiting for another thread"
} + atPlace(place)

internal fun atPlace(place: CodePlace?): String = place?.let { " at ${it.words()}" }.orEmpty()

/** The method that takes a lock, where it is one of a library and not of the lock. */
internal fun inMethod(place: CodePlace?): String =
    place?.method?.takeUnless { method -> LOCKS.any { method.startsWith(it) } }?.let { " in $it" }.orEmpty()

private val LOCKS = listOf("ReentrantLock.", "ReentrantReadWriteLock.", "StampedLock.")

/** The class of a lock without its package: `java.util.concurrent.locks.ReentrantLock` as "ReentrantLock". */
internal fun lockName(type: String): String = shortClassName(type.substringBefore('@'))

/** A semaphore is a pool of permits. */
internal fun free(pool: String?): String = when (pool) {
    null -> "a free connection"
    "Semaphore" -> "a permit of a Semaphore"
    else -> "a free connection of $pool"
}
