package threadgauge.run

import threadgauge.model.Trial
import threadgauge.store.RecordWriter

/** The trial under way; every change is written to disk before the call returns. Belongs to the run's thread. */
internal class OpenTrial(private val writer: RecordWriter, begun: Trial) {
    var now = begun
        private set

    init {
        writer.put(begun)
    }

    fun change(edit: Trial.() -> Trial) {
        now = now.edit()
        writer.put(now)
    }
}
