package threadgauge.serve

import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.BasicFileAttributes
import java.nio.file.attribute.FileTime
import java.util.concurrent.locks.ReentrantLock
import kotlin.concurrent.thread
import kotlin.concurrent.withLock
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource
import threadgauge.judge.history.summaryOf
import threadgauge.model.RunState
import threadgauge.model.RunSummary
import threadgauge.model.failure.Failed
import threadgauge.model.failure.Failure
import threadgauge.report.runs.ListedRun
import threadgauge.report.runs.RunStatus
import threadgauge.store.RECORD_FILE
import threadgauge.store.RecordFolder
import threadgauge.store.SummaryFile
import threadgauge.store.recordFolders

/**
 * The runs in a folder, as of the moment at which they are asked for. Summaries beside the records are read at once.
 * Records without one have to be read and judged, which takes long for many: what does not fit into [patience] is left
 * to a thread of its own. That thread waits while a run in this folder is measured, because it would take CPU time from
 * it.
 *
 * Safe to use from several threads.
 */
class RunIndex(private val place: Path, private val patience: Duration = 200.milliseconds) : AutoCloseable {
    private class Seen(val folder: RecordFolder, val version: RecordVersion, val run: ListedRun)

    private val lock = ReentrantLock()

    /** By the names of their folders. Guarded by [lock]. */
    private var seen: Map<String, Seen> = emptyMap()

    /** Reads records that have no summary; null where there are none. Guarded by [lock]. */
    private var reader: Thread? = null

    /** Guarded by [lock]. */
    private var isClosed = false

    /** The newest first, most of them without figures. Throws [IOException] if the folder cannot be read. */
    fun runs(): List<ListedRun> = lock.withLock {
        refresh()
        seen.values.map { it.run }.sortedWith(NEWEST_FIRST)
    }

    /** These runs with their figures, as far as there are any: [runs] has them only where it had to make them. */
    fun withFigures(runs: List<ListedRun>): List<ListedRun> {
        val lacking = runs.filter { it.summary?.situations?.isEmpty() == true }
        val folders = lock.withLock { lacking.associate { it.folder to seen[it.folder]?.folder } }
        return runs.parallelStream().map { run ->
            val summary = folders[run.folder]?.let { SummaryFile(it).read() }
            if (summary == null) run else run.copy(summary = summary)
        }.toList()
    }

    /** The folder of this name; null where there is no such run. No other path is ever made of the name. */
    fun find(name: String): RecordFolder? = lock.withLock {
        val known = seen[name]?.folder
        if (known != null && versionOf(known) != null) return known
        refresh()
        seen[name]?.folder
    }

    override fun close() = lock.withLock {
        isClosed = true
        reader?.interrupt()
        Unit
    }

    private fun refresh() {
        val before = seen
        val found = recordFolders(place).mapNotNull { folder ->
            versionOf(folder)?.let { version -> Triple(nameOf(folder), folder, version) }
        }
        // Files are read by as many threads as there are cores: parsing a thousand summaries is what takes time.
        val now: LinkedHashMap<String, Seen> = found.parallelStream().map { (name, folder, version) ->
            val known = before[name]?.let { again(it, version) }
            name to (known ?: Seen(folder, version, summarisedOr(name, folder, version)))
        }.toList().toMap(LinkedHashMap())
        val started = TimeSource.Monotonic.markNow()
        // The record of a run under way is the newest, so it is among these.
        unread(now.values).asSequence()
            .takeWhile { started.elapsedNow() < patience && !isMeasured(now.values) }
            .forEach { now[it.run.folder] = read(it) }
        seen = now
        if (reader == null && !isClosed && unread(now.values).isNotEmpty()) {
            reader = thread(isDaemon = true, name = "run-summaries") { readTheRest() }
        }
    }

    /**
     * What is known of a run whose record has now this [version]; null where it has to be read anew. That of a run in
     * progress changes with each sample, and nothing in it that a list shows. Its process may end without a last word.
     */
    private fun again(known: Seen, version: RecordVersion): Seen? {
        val run = known.run
        if (run.summary?.state != RunState.RUNNING) return known.takeIf { it.version == version }
        if (known.version != version && !known.folder.beginsAsRunning()) return null
        val status = RunStatus.of(RunState.RUNNING, known.folder.isInUse())
        return Seen(known.folder, version, run.copy(status = status))
    }

    private fun summarisedOr(name: String, folder: RecordFolder, version: RecordVersion): ListedRun =
        SummaryFile(folder).readHead()?.let { listed(name, folder, it) }
            ?: ListedRun(name, RunStatus.UNREAD, version.changed.toInstant().toString())

    private fun read(unread: Seen): Seen {
        val folder = unread.folder
        fun unreadable(fault: Failure) =
            unread.run.copy(status = RunStatus.UNREADABLE, fault = fault)
        val run = try {
            val record = folder.read()
            val isRunning = record.state == RunState.RUNNING
            listed(unread.run.folder, folder, if (isRunning) summaryOf(record, null) else summarised(record, folder))
        } catch (failed: Failed) {
            unreadable(failed.failure)
        } catch (broken: Exception) {
            // Whatever a record from elsewhere holds, the others are listed.
            unreadable(Failure.Unforeseen("$broken"))
        } catch (broken: StackOverflowError) {
            unreadable(Failure.Unforeseen("$broken"))
        }
        return Seen(folder, unread.version, run)
    }

    private fun readTheRest() {
        try {
            while (true) {
                val waiting = lock.withLock { unread(seen.values) }
                val next = waiting.firstOrNull() ?: return
                if (lock.withLock { isMeasured(seen.values) }) {
                    Thread.sleep(LOOK_AGAIN.inWholeMilliseconds)
                    lock.withLock { refresh() }
                } else {
                    val read = read(next)
                    lock.withLock { if (seen[next.run.folder] === next) seen = seen + (next.run.folder to read) }
                }
            }
        } catch (_: InterruptedException) {
            // Closed.
        } catch (_: IOException) {
            // The folder cannot be read now; who asks for its runs is told so.
        } finally {
            lock.withLock { reader = null }
        }
    }

    private fun isMeasured(all: Collection<Seen>) = all.any { it.run.status == RunStatus.UNDER_WAY }

    private fun unread(all: Collection<Seen>): List<Seen> =
        all.filter { it.run.status == RunStatus.UNREAD }.sortedByDescending { it.version.changed }

    private fun listed(name: String, folder: RecordFolder, summary: RunSummary): ListedRun {
        val isWritten = summary.state == RunState.RUNNING && folder.isInUse()
        return ListedRun(name, RunStatus.of(summary.state, isWritten), summary.startedAt, summary)
    }

    private fun nameOf(folder: RecordFolder) = folder.path.toAbsolutePath().normalize().fileName.toString()

    private companion object {
        val NEWEST_FIRST = compareByDescending<ListedRun> { it.at }.thenByDescending { it.folder }
        val LOOK_AGAIN = 2.seconds
    }
}

/** Changes with a record: every change of one is a new file. */
internal data class RecordVersion(val bytes: Long, val changed: FileTime)

/** Null where there is no record. */
internal fun versionOf(folder: RecordFolder): RecordVersion? = try {
    val file = Files.readAttributes(folder.path.resolve(RECORD_FILE), BasicFileAttributes::class.java)
    RecordVersion(file.size(), file.lastModifiedTime())
} catch (_: IOException) {
    null
}
