package threadgauge.load.http.stream

import threadgauge.load.http.Body
import threadgauge.load.http.Slot
import threadgauge.load.record.StreamRecorder

/** Sees the messages in the body of the answer under way on [slot], and records them. Belongs to one event loop. */
internal class MessageTap(
    private val slot: Slot,
    private val recorder: StreamRecorder,
    private val scan: MessageScan,
) {
    /** Of a WebSocket; null for other streams. */
    val frames = scan as? FrameScan

    /** When the last message came, of whichever answer; 0 before the first. */
    var lastNanos = 0L
        private set

    /** Messages of this answer so far. */
    var messages = 0L
        private set

    /** Prepares for the next answer. */
    fun clear() {
        scan.clear()
        messages = 0
    }

    /** As [Body.take]. Messages that arrive together have the same moment. */
    fun take(bytes: ByteArray, from: Int, count: Int) {
        val ended = scan.feed(bytes, from, count)
        if (ended == 0) return
        val now = System.nanoTime()
        repeat(ended) {
            if (messages == 0L) recorder.first(slot.sentNanos, now) else recorder.next(lastNanos, now)
            lastNanos = now
            messages++
        }
    }
}
