package threadgauge.probe.profile

import java.nio.file.Path
import java.util.concurrent.atomic.AtomicLong
import javax.management.JMX
import javax.management.MBeanServerConnection
import javax.management.ObjectName
import jdk.management.jfr.FlightRecorderMXBean
import kotlin.io.path.moveTo
import kotlin.io.path.outputStream

/**
 * A recording of JFR in the JVM behind [connection], through JMX. Its events are fetched as a file after the load, so
 * that nobody reads them while it goes on. [folder] is where the JVM keeps its files meanwhile; null where it does not
 * see the same files as this process.
 *
 * A recording that has a file to be written to is gone from the JVM once it ends, also if nobody is left to fetch it.
 *
 * Belongs to one thread; [close] may be called from any, more than once, also while [start] or [fetch] is under way:
 * these then throw.
 */
internal class EventRecording(
    private val connection: MBeanServerConnection,
    private val folder: Path?,
) : AutoCloseable {
    private val recorder by lazy { JMX.newMXBeanProxy(connection, RECORDER, FlightRecorderMXBean::class.java) }
    private val repository = JfrRepository(connection)
    private val recording = AtomicLong(NONE)
    private var written: Path? = null

    @Volatile
    private var isClosed = false

    /**
     * Starts it with [settings]. It ends by itself after [maxSeconds], in case nobody is left to end it. Throws what
     * JMX throws.
     */
    fun start(settings: Map<String, String>, maxSeconds: Long) {
        // Where somebody else records, their files stay where they expect them.
        val own = folder?.takeIf { recorder.recordings.isEmpty() }
        if (own != null) runCatching { repository.move(own) }
        val id = recorder.newRecording()
        recording.set(id)
        if (isClosed) return close()
        recorder.setRecordingSettings(id, settings)
        val options = OPTIONS + ("duration" to "$maxSeconds s")
        val file = folder?.resolve("recorded.jfr")
        // The JVM may belong to a user who must not write there.
        written = file?.takeIf { mayWrite(id, options + ("destination" to "$it")) }
        if (written == null) recorder.setRecordingOptions(id, options)
        recorder.startRecording(id)
    }

    /** Ends it and copies its events to [file]. Throws what JMX throws, and `IOException`. */
    fun fetch(file: Path) {
        val id = recording.get()
        recorder.stopRecording(id)
        written?.moveTo(file, overwrite = true) ?: read(id, file)
    }

    private fun read(id: Long, file: Path) {
        val stream = recorder.openStream(id, mapOf("blockSize" to "$BLOCK_BYTES"))
        file.outputStream().use { out ->
            while (true) out.write(recorder.readStream(stream) ?: break)
        }
        recorder.closeStream(stream)
    }

    /** Whether the JVM takes [options], which name a file to write. */
    private fun mayWrite(id: Long, options: Map<String, String>): Boolean =
        runCatching { recorder.setRecordingOptions(id, options) }.isSuccess

    /** Ends it, removes it from the JVM, and moves the files of other recordings back to where they would have been. */
    override fun close() {
        isClosed = true
        val id = recording.getAndSet(NONE)
        if (id != NONE) runCatching { recorder.closeRecording(id) }
        repository.moveBack()
    }

    private companion object {
        const val NONE = -1L
        const val BLOCK_BYTES = 1_000_000
        val RECORDER = ObjectName(FlightRecorderMXBean.MXBEAN_NAME)

        /** On disk, and no more than a run can use. A recording that is not fetched is not written anywhere. */
        val OPTIONS =
            mapOf("name" to "threadgauge", "disk" to "true", "dumpOnExit" to "false", "maxSize" to "250000000")
    }
}
