package threadgauge.serve

import java.nio.file.Path
import threadgauge.judge.history.summaryOf
import threadgauge.judge.judge
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.model.RunSummary
import threadgauge.model.judgement.Judgement
import threadgauge.store.RecordFolder
import threadgauge.store.SummaryFile
import threadgauge.store.UnreadableRecord
import threadgauge.store.recordFolders

/** A run in a folder of runs. */
internal class FoundRun(val folder: RecordFolder, val summary: RunSummary)

/** All runs in [place], without records that nobody can read, which [unreadable] is told. */
internal fun runsIn(place: Path, unreadable: (UnreadableRecord) -> Unit = {}): List<FoundRun> =
    recordFolders(place).mapNotNull { folder ->
        try {
            FoundRun(folder, SummaryFile(folder).read() ?: summarised(folder.read(), folder))
        } catch (broken: UnreadableRecord) {
            unreadable(broken)
            null
        }
    }

/**
 * The newest complete run in [place] that was saved as [name], of [experiment] where that is given; null where there is
 * none.
 */
internal fun savedRun(name: String, place: Path, experiment: String? = null): RecordFolder? =
    runsIn(place).filter { it.summary.savedAs == name && it.summary.state == RunState.COMPLETE }
        .filter { experiment == null || it.summary.experiment == experiment }
        .maxByOrNull { it.summary.startedAt }?.folder

/** Keeps a summary of [record] in its [folder], unless it is still growing. */
internal fun summarised(
    record: Record,
    folder: RecordFolder,
    judgement: Judgement? = if (record.plan.comparesSituations) judge(record) else null,
): RunSummary =
    summaryOf(record, judgement).also { if (record.state != RunState.RUNNING) SummaryFile(folder).write(it) }
