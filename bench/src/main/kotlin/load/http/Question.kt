package threadgauge.load.http

import threadgauge.load.http.http1.ACCEPTED_KEY
import threadgauge.load.http.http1.Http1Request
import threadgauge.load.http.http1.SOCKET_ACCEPT
import threadgauge.load.http.http2.Http2Request
import threadgauge.model.Outcome
import threadgauge.model.request.Kept
import threadgauge.model.request.Request
import threadgauge.model.request.Step

/**
 * A request that the slots of a [Client] can send: its bytes for each target, and the check of its answers.
 *
 * Belongs to one event loop; closed when no request is under way.
 */
internal class Question(
    /** Unlike that of any other question of the client, from 0. */
    val index: Int,
    private val request: Request,
    private val places: Places,
    private val keep: Keep? = null,
    observer: ((Slot) -> Unit)? = null,
) : AutoCloseable {
    /** Where requests go, and how. */
    class Places(val authorities: List<String>, val scheme: String, val closes: Boolean, val seed: Long)

    /** Values that [step] keeps and uses, as indices into [Course.values] by their names. */
    class Keep(private val step: Step, private val indices: Map<String, Int>) {
        val names: Set<String> get() = indices.keys

        /** What is in the body: field paths and patterns, with the index of each value. */
        val ofBody: List<Pair<Int, Kept>> = found { it is Kept.Json || it is Kept.Pattern }

        /** What is in the head: headers and cookies. */
        val ofHead: List<Pair<Int, Kept>> = found { it is Kept.Header || it is Kept.Cookie }

        fun indexOf(name: String): Int = indices.getValue(name)

        private fun found(which: (Kept) -> Boolean) =
            step.keep.filterValues(which).map { (name, kept) -> indexOf(name) to kept }
    }

    val answers = AnswerCheck(request, observer, keep?.ofBody.orEmpty())
    val headOnly = request.method == "HEAD"

    /** It asks for a WebSocket. */
    val isSocket get() = answers.isSocket

    /** It may be sent twice (RFC 9110, section 9.2.2). */
    val isIdempotent = request.method in IDEMPOTENT

    /** Of the head of its answers, what is kept: headers in lower case, and cookies. */
    val wanted: List<Kept> =
        if (isSocket) listOf(Kept.Header(SOCKET_ACCEPT)) else keep?.ofHead.orEmpty().map { it.second }

    private val http1 = places.authorities.map { place ->
        lazy(LazyThreadSafetyMode.NONE) { Http1Request(request, place, places.closes, places.seed + seedStep, keep) }
    }
    private val http2 = places.authorities.map { place ->
        lazy(LazyThreadSafetyMode.NONE) { Http2Request(request, place, places.scheme, places.seed + seedStep, keep) }
    }

    /** Steps of a scenario draw independently of each other. */
    private val seedStep get() = index * STEP_SEEDS

    fun http1(target: Int): Http1Request = http1[target].value

    fun http2(target: Int): Http2Request = http2[target].value

    /**
     * As [AnswerCheck.outcomeOf], of the answer on [slot]. What the step keeps of a correct answer is kept in its
     * course; [wish] has what was found in the head.
     */
    fun outcomeOf(status: Int, gzipped: Boolean, coded: Boolean, slot: Slot, wish: HeadWish): Outcome? {
        val outcome = answers.outcomeOf(status, gzipped, coded, slot.body, slot.counts, slot.course)
        // Without the right answer to its key the server is none for WebSockets (RFC 6455, section 4.1).
        if (isSocket && outcome == null && wish.found.single() != ACCEPTED_KEY) return Outcome.MALFORMED
        return outcome ?: if (keepHead(wish.found, slot.course)) null else Outcome.NOTHING_TO_KEEP
    }

    private fun keepHead(found: Array<String?>, course: Course?): Boolean {
        val rules = keep?.ofHead ?: return true
        for (i in rules.indices) {
            val value = found[i] ?: return false
            course!!.values[rules[i].first] = value.toByteArray()
        }
        return true
    }

    override fun close() {
        http1.forEach { if (it.isInitialized()) it.value.close() }
        answers.close()
    }
}

private val IDEMPOTENT = setOf("GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE")

/** More than a request has templates. */
private const val STEP_SEEDS = 1_000
