package threadgauge.load.http

import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import threadgauge.load.http.http1.Gunzip
import threadgauge.load.http.stream.EventScan
import threadgauge.load.http.stream.FrameScan
import threadgauge.load.http.stream.MessageTap
import threadgauge.load.record.StreamRecorder
import threadgauge.model.Outcome
import threadgauge.model.request.Kept
import threadgauge.model.request.Request
import threadgauge.model.request.Stream

/**
 * Decides whether an answer to [request] is correct, and collects statistics of correct answers. If nothing inside a
 * body is checked, no body is kept and nothing is allocated.
 *
 * Belongs to one event loop.
 */
class AnswerCheck(
    private val request: Request,
    /** Called with each slot when its answer ends, complete or not. Bodies are then kept; null costs nothing. */
    private val observer: ((Slot) -> Unit)? = null,
    /** What is kept of the bodies of correct answers, with the index of each value in [Course.values]. */
    keep: List<Pair<Int, Kept>> = emptyList(),
) : AutoCloseable {
    private val expect = request.expect
    private val bodiless = request.method == "HEAD"
    private val expected = expect.body?.toByteArray().takeUnless { bodiless }
    private val fields = keep.mapNotNull { (index, kept) -> (kept as? Kept.Json)?.let { index to it.path } }
    private val patterns =
        keep.mapNotNull { (index, kept) -> (kept as? Kept.Pattern)?.let { index to Regex(it.regex) } }
    private val readsJson = expect.json.isNotEmpty() || request.count != null || fields.isNotEmpty()
    private val looksInside = !bodiless && (expect.contains != null || readsJson || patterns.isNotEmpty())
    private val keeps = !bodiless && request.stream == null && (looksInside || request.gzip || observer != null)
    private val gunzip = if (request.gzip) Gunzip() else null
    private val counts = HashMap<String, Long>()
    private val statusCounts = LongArray(STATUSES)

    /** The answer that is being checked counts. */
    private var isCounting = true

    /** Bytes in the bodies of correct answers, as they were transferred. */
    var bodyBytes = 0L
        private set

    /** The same after decompression. */
    var unpackedBytes = 0L
        private set

    /** How many correct answers had each status. */
    val statuses: Map<Int, Long> get() =
        statusCounts.withIndex().filter { it.value > 0 }.associate { it.index to it.value }

    /** How often the counted field had each value. */
    val counted: Map<String, Long> get() = counts

    /** True if there is an observer: slots then keep also what a load does not need. */
    val isObserved get() = observer != null

    /** The answer on [slot] is about to end. */
    internal fun ending(slot: Slot) {
        observer?.invoke(slot)
    }

    /** Messages of the answers, where they are streams. */
    val stream: StreamRecorder? = request.stream?.let { StreamRecorder() }

    internal val isSocket = request.stream == Stream.WEBSOCKET

    /** The client closes a WebSocket after so many messages; null where it does not. */
    internal val closesAfter: Int? = expect.messages.takeIf { isSocket }

    /** A body for [slot], which keeps as much as the check needs. */
    internal fun newBody(slot: Slot) =
        Body(expected.takeUnless { request.gzip }, keeps, stream?.let { MessageTap(slot, it, newScan()) })

    private fun newScan() = if (isSocket) FrameScan() else EventScan()

    /**
     * Null for a correct answer. Its head declares that it is [gzipped], or [coded] in one of [OTHER_CODINGS]. Without
     * [counts] it is checked, but not counted. What is to be kept of a correct answer is kept in [course].
     */
    internal fun outcomeOf(
        status: Int,
        gzipped: Boolean,
        coded: Boolean,
        body: Body,
        counts: Boolean = true,
        course: Course? = null,
    ): Outcome? {
        isCounting = counts
        return (outcomeOf(status) ?: outcomeOf(gzipped, coded, body, course))
            .also { if (it == null && counts && status < STATUSES) statusCounts[status]++ }
    }

    private fun outcomeOf(gzipped: Boolean, coded: Boolean, body: Body, course: Course?): Outcome? {
        if (!hasItsMessages(body)) return Outcome.WRONG_MESSAGES
        if (!keeps) {
            if (!body.matches) return if (gzipped || coded) Outcome.CODED_BODY else Outcome.WRONG_BODY
            received(body.length, body.length)
            return null
        }
        if (!body.isWhole) return Outcome.WRONG_BODY
        // An empty body has no coding, whatever its head declares.
        val packed = gunzip.takeIf { gzipped && !coded && body.length > 0 }
        val isCoded = body.length > 0 && (coded || gzipped && packed == null)
        if (looksInside && isCoded) return Outcome.CODED_BODY
        if (packed != null && !packed.unpack(body.kept, body.keptLength)) return Outcome.MALFORMED
        val bytes = packed?.bytes ?: body.kept
        val length = packed?.length ?: body.keptLength
        wrongIn(bytes, length, course)?.let { return if (isCoded) Outcome.CODED_BODY else it }
        received(body.length, length.toLong())
        return null
    }

    /** Of a WebSocket more may come before its server knows that the client closes it. */
    private fun hasItsMessages(body: Body): Boolean {
        val wanted = expect.messages?.toLong() ?: return true
        val seen = body.tap?.messages ?: 0
        return if (isSocket) seen >= wanted else seen == wanted
    }

    private fun received(sent: Long, unpacked: Long) {
        if (!isCounting) return
        bodyBytes += sent
        unpackedBytes += unpacked
    }

    /** Null for an expected status. One below 100 is treated as a server error (RFC 9110, section 15). */
    internal fun outcomeOf(status: Int) = when {
        isSocket && status == SWITCHING -> null
        isSocket && status in 200..399 -> Outcome.UNEXPECTED_STATUS
        if (expect.statuses.isEmpty()) status in 200..299 else status in expect.statuses -> null
        status in 400..499 -> Outcome.CLIENT_ERROR
        status >= 500 || status < 100 -> Outcome.SERVER_ERROR
        else -> Outcome.UNEXPECTED_STATUS
    }

    /** What is wrong with a body; null for a correct one. */
    private fun wrongIn(bytes: ByteArray, length: Int, course: Course?): Outcome? {
        if (expected != null && !(length == expected.size && expected.indices.all { expected[it] == bytes[it] })) {
            return Outcome.WRONG_BODY
        }
        if (!looksInside) return null
        val text = String(bytes, 0, length, Charsets.UTF_8)
        if (expect.contains != null && expect.contains !in text) return Outcome.WRONG_BODY
        for ((index, pattern) in patterns) {
            val match = pattern.find(text) ?: return Outcome.NOTHING_TO_KEEP
            course?.values?.set(index, (match.groupValues.getOrNull(1) ?: match.value).toByteArray())
        }
        if (!readsJson) return null
        val json = try {
            Json.parseToJsonElement(text)
        } catch (_: SerializationException) {
            null
        }
        if (expect.json.any { (path, value) -> json?.field(path)?.words() != value }) return Outcome.WRONG_BODY
        for ((index, path) in fields) {
            val value = json?.field(path) ?: return Outcome.NOTHING_TO_KEEP
            course?.values?.set(index, value.words().toByteArray())
        }
        request.count?.let { count(json?.field(it)?.words() ?: NO_VALUE) }
        return null
    }

    private fun count(value: String) {
        if (!isCounting) return
        val key = if (value in counts || counts.size < MAX_VALUES) value.take(MAX_VALUE_LENGTH) else OTHER_VALUES
        counts.merge(key, 1, Long::plus)
    }

    override fun close() {
        gunzip?.close()
    }

    companion object {
        /** Counted for an answer without the field, or one that is not JSON. */
        const val NO_VALUE = "(none)"

        /**
         * Counted for every value beyond the first [MAX_VALUES], so that a field that differs in every answer does not
         * fill the heap.
         */
        const val OTHER_VALUES = "(others)"
        const val MAX_VALUES = 100
        private const val MAX_VALUE_LENGTH = 200

        /** Statuses have three digits (RFC 9110, section 15). */
        private const val STATUSES = 1_000
        private const val SWITCHING = 101
    }
}

/** The element at a path such as `seats.0.state`: field names, and indices of lists from 0. Null if there is none. */
private fun JsonElement.field(path: String): JsonElement? =
    path.split('.').fold(this as JsonElement?) { element, step ->
        when (element) {
            is JsonObject -> element[step]
            is JsonArray -> step.toIntOrNull()?.let(element::getOrNull)
            else -> null
        }
    }

private fun JsonElement.words(): String = if (this is JsonPrimitive) content else toString()

/** Content codings besides gzip in the registry of RFC 9110, section 18.6: their bodies are not plain text. */
internal val OTHER_CODINGS = listOf("deflate", "br", "zstd", "compress", "x-compress", "dcb", "dcz")
