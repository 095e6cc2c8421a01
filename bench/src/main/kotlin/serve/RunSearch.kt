package threadgauge.serve

import threadgauge.report.runs.ListedRun
import threadgauge.report.runs.MAX_QUERY
import threadgauge.report.runs.RunStatus
import threadgauge.report.runs.RunsAsked
import threadgauge.report.runs.RunsPage

/** What [query] asks for. Whatever is unknown in it is left out. */
internal fun askedOf(query: Query): RunsAsked = RunsAsked(
    query = query["q"].orEmpty().trim().take(MAX_QUERY),
    status = RunStatus.entries.find { it.name.equals(query["state"], ignoreCase = true) },
    page = query["page"]?.toIntOrNull()?.coerceAtLeast(1) ?: 1,
)

/** The page of [runs], the newest first, in [place] that was [asked] for; the last one where there are fewer. */
internal fun pageOf(place: String, runs: List<ListedRun>, asked: RunsAsked): RunsPage {
    val words = asked.query.lowercase().split(' ', '\t').filter { it.isNotEmpty() }
    val matching = runs.filter { run ->
        (asked.status == null || run.status == asked.status) && matches(run, words)
    }
    val pages = maxOf(1, (matching.size + PAGE - 1) / PAGE)
    val page = asked.page.coerceAtMost(pages)
    return RunsPage(
        place = place,
        asked = asked.copy(page = page),
        shown = matching.drop((page - 1) * PAGE).take(PAGE),
        matching = matching.size,
        all = runs.size,
        unread = runs.count { it.status == RunStatus.UNREAD },
        pages = pages,
    )
}

/** Whether each of the words occurs in what the list shows of the run. */
private fun matches(run: ListedRun, words: List<String>): Boolean {
    if (words.isEmpty()) return true
    val summary = run.summary
    val texts = listOfNotNull(run.folder, run.status.word, summary?.experiment, summary?.savedAs, summary?.question) +
        summary?.stacks.orEmpty()
    return words.all { word -> texts.any { word in it.lowercase() } }
}

/** Runs on one page: a screen or two, and no more than a browser lays out at once. */
internal const val PAGE = 50
