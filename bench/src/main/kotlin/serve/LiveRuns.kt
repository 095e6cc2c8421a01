package threadgauge.serve

import threadgauge.judge.progress.progressOf
import threadgauge.report.runs.LiveDocument
import threadgauge.report.runs.liveDocument
import threadgauge.store.RecordFolder

/**
 * Documents of runs under way. A record is read once for each of its versions, however many pages follow it, because
 * reading it takes CPU time from what is measured. Safe to use from several threads.
 */
internal class LiveRuns {
    /** By the path of the folder, those not asked for lately first. Guarded by this object. */
    private val kept = object : LinkedHashMap<String, LiveDocument>(16, 0.75f, true) {
        override fun removeEldestEntry(eldest: Map.Entry<String, LiveDocument>) = size > MAX_KEPT
    }

    /** The version of the record as of now; null where it is gone. */
    fun version(folder: RecordFolder): String? = version(folder, folder.isInUse())

    /** Throws [threadgauge.store.UnreadableRecord]. */
    @Synchronized
    fun document(folder: RecordFolder): LiveDocument {
        val key = "${folder.path}"
        val isWritten = folder.isInUse()
        val version = version(folder, isWritten)
        kept[key]?.takeIf { it.version == version }?.let { return it }
        // A record that is replaced meanwhile is read again next time.
        return liveDocument(progressOf(folder.read()), version.orEmpty(), isWritten).also { kept[key] = it }
    }

    private fun version(folder: RecordFolder, isWritten: Boolean): String? = versionOf(folder)?.let {
        "${it.bytes}-${it.changed.toInstant()}-${if (isWritten) "written" else "left"}"
    }

    private companion object {
        const val MAX_KEPT = 8
    }
}
