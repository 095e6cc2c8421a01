package threadgauge.load.http

import threadgauge.model.Outcome

/**
 * A place for one request at a time to a target: a connection of HTTP/1.1, or one of the streams that share a
 * connection of HTTP/2. It outlives the TCP connections that it uses one after the other, because servers close them
 * (Tomcat after every 100 answers).
 *
 * Belongs to one event loop; every call and every callback is on that loop's thread.
 *
 * What happens to a request, as calls of [Listener]:
 * ```
 * send ─┬─ answered            the answer is complete; the connection may be closed by then
 *       └─ failed              refused, reset, timed out, malformed: the connection is gone
 * connect ─┬─ connected
 *          └─ failed           without a request, where none was sent
 * idle ── closedWhileIdle      the server closed it between two requests
 * ```
 */
abstract class Slot(
    /** Which of the targets it leads to. */
    val target: Int,
    protected val listener: Listener,
) {
    interface Listener {
        /** A request may be sent. [opened] says that a TCP connection was opened for it. */
        fun connected(slot: Slot, opened: Boolean)

        /** [outcome] is null for a correct answer. */
        fun answered(slot: Slot, outcome: Outcome?)

        fun failed(slot: Slot, outcome: Outcome)

        fun closedWhileIdle(slot: Slot)
    }

    enum class State { CLOSED, CONNECTING, IDLE, BUSY }

    var state = State.CLOSED
        protected set

    /**
     * Stamps of the request under way, kept here for [listener]: `System.nanoTime` of when it was meant and when it
     * left.
     */
    var intendedNanos = 0L
    var sentNanos = 0L

    /** Number of that request within the load. */
    var number = 0L

    /** The request under way is part of the result; false in the lead-in of a load. */
    var counts = true

    /** A request waits for this slot to open. */
    var wanted = false

    /** The request under way has been sent before, and the server did not process it. */
    var repeated = false

    /** Requests that the user of this slot has begun; only closed load counts them. */
    var begun = 0L

    /** The status of the answer under way; 0 before it is known, -1 where it is none. */
    abstract val status: Int

    /** The body of the answer under way. */
    abstract val body: Body

    /** What the head of the answer under way says: its length, -1 where it says none. */
    abstract val length: Long

    /** Its `Content-Type`; null where there is none, or where nobody looks at answers ([AnswerCheck.isObserved]). */
    abstract val contentType: String?

    /** Opens the connection. Only when CLOSED. */
    abstract fun connect()

    /** Sends request number [number]. The caller has set the stamps. Only when IDLE. */
    abstract fun send()

    /** Gives the request under way up, or the attempt to connect. */
    abstract fun abandon(outcome: Outcome)

    /** Closes for good, without a word to [listener]. */
    abstract fun close()
}
