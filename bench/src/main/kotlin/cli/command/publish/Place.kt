package threadgauge.cli.command.publish

import com.github.ajalt.clikt.core.UsageError
import com.github.ajalt.mordant.rendering.TextStyles.dim
import com.github.ajalt.mordant.terminal.Terminal
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.getLastModifiedTime
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.writeText
import threadgauge.cli.ExitCode
import threadgauge.cli.home
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.judge.map.judgeMap
import threadgauge.judge.map.placements
import threadgauge.model.Record
import threadgauge.model.plan.MapSheet
import threadgauge.plan.command.AdviseOrder
import threadgauge.plan.command.TryOrder
import threadgauge.plan.command.readAdvise
import threadgauge.report.map.placementHtml
import threadgauge.report.map.placementJson
import threadgauge.report.map.placementReport
import threadgauge.store.RECORD_FILE
import threadgauge.store.RecordFolder

/** The arguments of `threadgauge map --place`, unchecked. Null where an option was not given. */
internal class PlaceOrder(
    /** A target as of `threadgauge try`, or the folder of a record of one. */
    val target: String,
    val paths: List<String>,
    val users: String?,
    /** The folder of a map; null: the newest of [results]. */
    val map: Path?,
    /** Where records are written. */
    val results: Path,
)

/**
 * Says where a service lies on a map. The service is measured as by `threadgauge advise`, unless its record is given.
 * The result is written as `place.html` into the folder of its record, and printed as text or as one JSON document.
 */
internal class Place(private val order: PlaceOrder, private val terminal: Terminal, private val json: Boolean) {
    fun run(): ExitCode {
        // A missing map is told before anything is started.
        val mapRecord = order.map?.let(::mapIn) ?: newestMap()
        val map = judgeMap(mapRecord)
        val (folder, code) = measured()
        if (code == ExitCode.INTERRUPTED) return code
        val record = folder.read()
        val placed = placements(record, mapRecord, map)
        if (placed.isEmpty()) {
            say("Nothing can be said: without a profile of the service, what its requests wait for is unknown.")
            return ExitCode.CANNOT_TELL
        }
        val page = folder.path.resolve("place.html")
        page.writeText(placementHtml(record, placed, mapRecord, map))
        if (json) print(placementJson(placed, map))
        else terminal.println(placementReport(record, placed, map, "$page"))
        return ExitCode.DONE
    }

    private fun measured(): Pair<RecordFolder, ExitCode> {
        recordIn(order.target)?.let { return it to ExitCode.DONE }
        val (first, others) = order.paths.firstOrNull() to order.paths.drop(1)
        val what = TryOrder(listOf(order.target), path = first, morePaths = others, users = order.users)
        val read = readAdvise(AdviseOrder(what), StackCatalogue.read(home))
        read.assumed.forEach(::say)
        val folder = newFolder(read.plan, order.results)
        return folder to runAndPublish(read.plan, folder, terminal, json, isPrinted = false)
    }

    /** Null where [target] is no folder of a record, and so a service. */
    private fun recordIn(target: String): RecordFolder? {
        val path = Path.of(target)
        if (!path.isDirectory() || !path.resolve(RECORD_FILE).exists()) return null
        if (order.paths.isNotEmpty() || order.users != null) {
            throw UsageError("$target was measured already: leave out --path and --users")
        }
        val folder = RecordFolder(path)
        val plan = folder.read().plan
        if (plan.map != null || plan.knee != null) {
            throw UsageError("$target is no record of a service that was tried; try or advise makes one")
        }
        return folder
    }

    private fun mapIn(folder: Path): Record {
        val record = RecordFolder.of(folder).read()
        if (!record.isUsable) {
            throw UsageError("$folder is no map with places of requests that wait; threadgauge map draws one")
        }
        return record
    }

    private fun newestMap(): Record = order.results.takeIf { it.isDirectory() }?.listDirectoryEntries("map-*").orEmpty()
        .filter { it.resolve(RECORD_FILE).exists() }
        .sortedByDescending { it.resolve(RECORD_FILE).getLastModifiedTime() }
        .firstNotNullOfOrNull { folder -> readable(RecordFolder(folder))?.takeIf { it.isUsable } }
        ?: throw UsageError(
            "there is no map in ${order.results}: draw one (threadgauge map, half an hour), or name one with --on",
        )

    private val Record.isUsable get() =
        plan.map?.sheet == MapSheet.WAIT && trials.any { trial -> trial.slices.isNotEmpty() }

    private fun say(words: String) = if (json) System.err.println(words) else terminal.println(dim(words))
}
