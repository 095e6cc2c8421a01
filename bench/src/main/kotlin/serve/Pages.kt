package threadgauge.serve

import java.nio.file.Files
import java.nio.file.LinkOption.NOFOLLOW_LINKS
import threadgauge.judge.history.historyOf
import threadgauge.judge.knee.judgeKnees
import threadgauge.judge.map.judgeMap
import threadgauge.judge.regression.compareRecords
import threadgauge.judge.regression.flameChanges
import threadgauge.model.RunState
import threadgauge.model.judgement.Compared
import threadgauge.report.history.historyHtml
import threadgauge.report.knee.kneeHtmlReport
import threadgauge.report.map.mapHtmlReport
import threadgauge.report.regression.ComparedRun
import threadgauge.report.regression.changeHtml
import threadgauge.report.runs.ListedExperiment
import threadgauge.report.runs.ListedRun
import threadgauge.report.runs.RunLinks
import threadgauge.report.runs.RunStatus
import threadgauge.report.runs.SERVED_ASSETS
import threadgauge.report.runs.historiesHtml
import threadgauge.report.runs.liveHtml
import threadgauge.report.runs.liveJson
import threadgauge.report.runs.messageHtml
import threadgauge.report.runs.runsHtml
import threadgauge.store.RecordFolder
import threadgauge.store.storedFlames

/**
 * The pages of the server, by their addresses. [place] is the folder as the user named it. Safe to use from several
 * threads.
 */
internal class Pages(private val place: String, private val index: RunIndex) {
    private val live = LiveRuns()

    /** Throws [threadgauge.model.failure.Failed] where a record cannot be read. */
    fun answer(steps: List<String>, query: Query): Response = when {
        steps.isEmpty() -> list(query)
        steps.first() == "assets" -> asset("/" + steps.joinToString("/"))
        steps == listOf("compare") -> sideBySide(query)
        steps == listOf("history") -> histories()
        steps.size == 2 && steps.first() == "history" -> history(steps[1], query["saved-as"])
        steps.size in 2..3 && steps.first() == "runs" -> run(steps[1], steps.getOrNull(2), query)
        else -> missing()
    }

    private fun list(query: Query): Response {
        val found = pageOf(place, index.runs(), askedOf(query))
        return page(runsHtml(found.copy(shown = index.withFigures(found.shown))))
    }

    private fun asset(path: String): Response {
        val asset = SERVED_ASSETS.find { it.path == path } ?: return missing()
        return Response(200, asset.type, asset.content.toByteArray(), NOTHING_LOADED, isConstant = true)
    }

    private fun run(name: String, what: String?, query: Query): Response {
        val folder = index.find(name) ?: return noRun(name)
        return when (what) {
            null -> redirect(if (folder.isInUse()) RunLinks.live(name) else RunLinks.report(name))
            "report" -> report(reportOf(folder))
            "live" -> page(liveHtml(name, live.document(folder)))
            "live.json" -> progress(folder, query["since"])
            else -> missing()
        }
    }

    /** The report in the folder, or one that is made now where there is none of this record. */
    private fun reportOf(folder: RecordFolder): ByteArray {
        val file = folder.path.resolve("report.html")
        val version = versionOf(folder)
        val isOfRecord = version != null && Files.isRegularFile(file, NOFOLLOW_LINKS) &&
            Files.getLastModifiedTime(file) >= version.changed
        if (isOfRecord) return Files.readAllBytes(file)
        val record = folder.read()
        val html = when {
            record.plan.knee != null -> kneeHtmlReport(record, judgeKnees(record))
            record.plan.map != null -> mapHtmlReport(record, judgeMap(record))
            else -> reportHtml(record, folder)
        }
        return html.toByteArray()
    }

    /** Nothing where the record is still the version that the page [shows]. */
    private fun progress(folder: RecordFolder, shows: String?): Response {
        if (shows != null && shows == live.version(folder)) return Response(204, HTML, ByteArray(0), NOTHING_LOADED)
        return json(liveJson(live.document(folder)))
    }

    /** `base` and `new` as they are given, or two of `run`, of which the earlier is the base. */
    private fun sideBySide(query: Query): Response {
        val given = listOfNotNull(query["base"], query["new"]).takeIf { it.size == 2 }
        val names = given ?: query.all("run")
        if (names.size != 2) {
            val asked = "Choose two runs in the list of all runs, not ${names.size}."
            return page(messageHtml("Which two runs?", listOf(asked)), status = 400)
        }
        val found = names.map { name ->
            val folder = index.find(name) ?: return noRun(name)
            ComparedRun(name, folder.read()) to folder
        }
        found.find { (run, _) -> !run.record.plan.comparesSituations }?.let { (run, _) -> return notComparable(run) }
        val runs = if (given != null) found else found.sortedBy { (run, _) -> run.record.startedAt }
        val lookup = storedFlames(runs.map { (run, folder) -> run.record to folder })
        val (base, new) = runs.map { it.first }
        val (old, other) = runs.map { (run, _) -> listOf(run.record) }
        val comparison = compareRecords(old, other, lookup = lookup)
        return page(changeHtml(comparison, base, new, flameChanges(old, other, lookup)))
    }

    private fun notComparable(run: ComparedRun): Response = page(
        messageHtml(
            "Searches for a knee and maps cannot be laid side by side",
            listOf(
                "${run.folder} is one. To compare two targets, search both in one run: " +
                    "`threadgauge knee TARGET --against OTHER`.",
            ),
        ),
        status = 400,
    )

    private fun histories(): Response {
        val runs = index.runs()
        stillReading(runs)?.let { return it }
        val experiments = measured(runs).groupBy { it.summary!!.experiment }.map { (name, its) ->
            val saved = its.mapNotNull { it.summary!!.savedAs }.groupingBy { it }.eachCount()
            ListedExperiment(name, its.first().summary!!.question, its.size, its.first().at, saved.toSortedMap())
        }
        return page(historiesHtml(place, experiments))
    }

    private fun history(experiment: String, savedAs: String?): Response {
        val runs = index.runs()
        stillReading(runs)?.let { return it }
        val its = measured(runs).filter { it.summary!!.experiment == experiment }
            .filter { savedAs == null || it.summary!!.savedAs == savedAs }
        if (its.isEmpty()) {
            val saved = savedAs?.let { " that was saved as “$it”" }.orEmpty()
            val what = "There is no run of “$experiment”$saved in $place."
            return page(messageHtml("No such experiment", listOf(what)), status = 404)
        }
        val history = historyOf(experiment, index.withFigures(its).map { it.summary!! }, FIGURES, MARGIN)
        val reports = its.associate { it.summary!!.id to RunLinks.report(it.folder) }
        return embedding(historyHtml(history, reports, home = RunLinks.LIST))
    }

    /** A history with gaps that nobody sees would mislead. */
    private fun stillReading(runs: List<ListedRun>): Response? {
        val unread = runs.count { it.status == RunStatus.UNREAD }
        if (unread == 0) return null
        val waits = if (runs.none { it.status == RunStatus.UNDER_WAY }) emptyList() else
            listOf("They are read when the run that is under way has ended, so that nothing disturbs it.")
        val what = "$unread of ${runs.size} records are not read yet. Load this page again in a moment."
        return page(messageHtml("Records are still being read", listOf(what) + waits), status = 503)
    }

    private fun measured(runs: List<ListedRun>) = runs.filter { run ->
        run.summary?.let { it.comparesSituations && it.state != RunState.RUNNING } == true
    }

    private fun noRun(name: String): Response = page(
        messageHtml("No such run", listOf("There is no run “$name” in $place. It may have been moved or deleted.")),
        status = 404,
    )

    private fun missing(): Response = page(messageHtml("No such page", listOf("There is nothing here.")), status = 404)

    private companion object {
        /** The same as those of the command `history`. */
        val FIGURES = setOf(Compared.THROUGHPUT, Compared.P99, Compared.CPU)
        const val MARGIN = 0.03
    }
}
