package threadgauge.load.http

import threadgauge.model.Outcome

/**
 * Carries one request at a time to a target: a connection of HTTP/1.1, or one of the streams that share a connection of
 * HTTP/2. It outlives its TCP connections, because servers close them (Tomcat after every 100 answers) and it then
 * opens the next.
 *
 * Belongs to one event loop; every call and every callback is on that loop's thread.
 *
 * What happens to a request, as calls of [Listener]:
 * ```
 * send ─┬─ answered            the answer is complete; the connection may be closed by then
 *       └─ failed              refused, reset, timed out, malformed: the connection is gone
 * connect ─┬─ connected
 *          └─ failed           without a request, if none was sent
 * idle ── closedWhileIdle      the server closed it between two requests
 * ```
 */
abstract class Slot(
    /** Index of the target that it connects to. */
    val target: Int,
    protected val listener: Listener,
) {
    interface Listener {
        /** A request may be sent. [opened] is true if a TCP connection was opened for it. */
        fun connected(slot: Slot, opened: Boolean)

        /** [outcome] is null for a correct answer. */
        fun answered(slot: Slot, outcome: Outcome?)

        /** The request, or the attempt to connect, failed with [outcome]. */
        fun failed(slot: Slot, outcome: Outcome)

        /** The server closed the connection between two requests. */
        fun closedWhileIdle(slot: Slot)
    }

    /** CONNECTING includes the handshake of TLS and the login. BUSY means that a request is under way. */
    enum class State { CLOSED, CONNECTING, IDLE, BUSY }

    var state = State.CLOSED
        protected set

    /**
     * Times of the request under way, in `System.nanoTime`: when it was intended and when it was sent. Kept here for
     * [listener].
     */
    var intendedNanos = 0L
    var sentNanos = 0L

    /** Number of that request in the load; in a scenario, of the pass. */
    var number = 0L

    /** What is asked. Changes only between two requests. */
    internal abstract var question: Question

    /** Where the user of this slot is in a scenario; null where there are none. */
    internal var course: Course? = null

    /** The request under way counts; false in the lead-in of a load. */
    var counts = true

    /** A request waits for this slot to open. */
    var wanted = false

    /** The request under way has been sent before, and the server did not process it. */
    var repeated = false

    /** Requests that the user of this slot has begun. Only counted in a closed load. */
    var begun = 0L

    /** The status of the answer under way; 0 before it is known, -1 if it is invalid. */
    abstract val status: Int

    /** The body of the answer under way. */
    abstract val body: Body

    /** Length that the head of the answer under way declares; -1 if it declares none. */
    abstract val length: Long

    /** Its `Content-Type`; null if it has none, or if answers are not observed ([AnswerCheck.isObserved]). */
    abstract val contentType: String?

    /** Opens the connection. Only in state CLOSED. */
    abstract fun connect()

    /** Sends request number [number]. The caller has set the times. Only in state IDLE. */
    abstract fun send()

    /** Gives up the request under way, or the attempt to connect, with [outcome]. */
    abstract fun abandon(outcome: Outcome)

    /** Forgets the cookies of the user, because another one comes. */
    internal abstract fun forget()

    /** Closes for good, without a callback to [listener]. */
    abstract fun close()
}
