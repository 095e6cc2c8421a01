package threadgauge.report.runs

import kotlinx.html.ButtonType
import kotlinx.html.FlowContent
import kotlinx.html.FormMethod
import kotlinx.html.LI
import kotlinx.html.P
import kotlinx.html.a
import kotlinx.html.button
import kotlinx.html.checkBoxInput
import kotlinx.html.code
import kotlinx.html.div
import kotlinx.html.form
import kotlinx.html.h1
import kotlinx.html.id
import kotlinx.html.kbd
import kotlinx.html.label
import kotlinx.html.li
import kotlinx.html.nav
import kotlinx.html.ol
import kotlinx.html.option
import kotlinx.html.p
import kotlinx.html.searchInput
import kotlinx.html.section
import kotlinx.html.select
import kotlinx.html.span
import kotlinx.html.time
import kotlinx.html.ul
import threadgauge.model.RunSummary
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.compare.GateResult
import threadgauge.report.format.NOTHING
import threadgauge.report.format.count
import threadgauge.report.format.number
import threadgauge.report.html.minute
import threadgauge.wording.failure.words

/**
 * One page of the runs of a folder, with search and the choice of two runs to lay side by side. It works without its
 * script; with it, the list follows the search as it is typed.
 */
fun runsHtml(page: RunsPage): String =
    servedPage("Runs in ${page.place}", count(page.all, "run"), RunLinks.LIST, skipTo = "results") {
        section {
            h1("message") { +"Runs in ${page.place}" }
            search(page)
            choice { results(page) }
        }
    }

private fun FlowContent.search(page: RunsPage) = form(action = RunLinks.LIST, method = FormMethod.get) {
    id = "search"
    attributes["role"] = "search"
    div("field") {
        label { htmlFor = "query"; +"Search" }
        searchInput(name = "q") {
            id = "query"
            value = page.asked.query
            placeholder = "experiment, name, stack, words of the question"
            attributes["autocomplete"] = "off"
            attributes["maxlength"] = "$MAX_QUERY"
            attributes["aria-describedby"] = "keys"
        }
    }
    div("field") {
        label { htmlFor = "state"; +"State" }
        select {
            id = "state"
            name = "state"
            option { value = ""; +"all" }
            RunStatus.entries.forEach { status ->
                option { value = status.name.lowercase(); selected = status == page.asked.status; +status.word }
            }
        }
    }
    button(type = ButtonType.submit) { +"Search" }
    p("keys") {
        id = "keys"
        kbd { +"/" }
        +" searches, "
        kbd { +"j" }
        +" and "
        kbd { +"k" }
        +" go through the runs, "
        kbd { +"x" }
        +" chooses one, "
        kbd { +"c" }
        +" lays the two chosen side by side"
    }
}

/** The form around the list: two chosen runs go to the page that compares them. */
private fun FlowContent.choice(content: FlowContent.() -> Unit) =
    form(action = RunLinks.COMPARE, method = FormMethod.get) {
        id = "choice"
        content()
        div("chosen") {
            id = "chosen"
            span {
                id = "chosen-words"
                attributes["role"] = "status"
                +"Choose two runs to lay them side by side."
            }
            button(type = ButtonType.submit) { id = "side-by-side"; +"Side by side" }
        }
    }

private fun FlowContent.results(page: RunsPage) = div {
    id = "results"
    if (page.unread > 0 || page.shown.any { it.status == RunStatus.UNDER_WAY }) attributes["data-changing"] = "yes"
    p("found") {
        attributes["role"] = "status"
        if (page.all == 0) noRun(page.place) else +found(page)
        if (page.unread > 0) {
            +" ${count(page.unread, "record")} ${if (page.unread == 1) "is" else "are"} still being read."
        }
    }
    if (page.shown.isNotEmpty()) {
        ol("runs") {
            page.shown.forEach { run -> li(if (run.summary == null) "run unknown" else "run") { listed(run) } }
        }
    }
    if (page.pages > 1) pages(page)
}

private fun P.noRun(place: String) {
    +"There is no run in "
    code { +place }
    +" yet. "
    code { +"threadgauge run" }
    +" and "
    code { +"threadgauge try" }
    +" make them, each in a folder of its own directly in there; runs that lie deeper are not shown."
}

private fun found(page: RunsPage): String {
    val isSearched = page.asked.query.isNotEmpty() || page.asked.status != null
    return when {
        isSearched && page.matching == 0 -> "No run matches."
        isSearched -> "${number(page.matching)} of ${count(page.all, "run")}, the newest first."
        else -> "${count(page.all, "run")}, the newest first."
    }
}

private fun LI.listed(run: ListedRun) {
    val name = run.summary?.experiment ?: run.folder
    label("pick") {
        checkBoxInput(name = "run") { value = run.folder; disabled = run.summary?.comparesSituations != true }
        span("unseen") { +"Choose ${run.folder}" }
    }
    div("what") {
        p("name") {
            when (run.status) {
                RunStatus.UNREADABLE -> span("missing") { +name }
                RunStatus.UNDER_WAY -> a(href = RunLinks.live(run.folder)) { +name }
                else -> a(href = RunLinks.report(run.folder)) { +name }
            }
            run.summary?.savedAs?.let { span("saved") { +it } }
        }
        run.summary?.let { p("question") { +it.question } }
        run.fault?.let { p("missing") { +it.words() } }
        p("small") {
            span("code") { +run.folder }
            if (run.summary?.comparesSituations == true && run.status in WITH_HISTORY) {
                +" · "
                a(href = RunLinks.history(name, run.summary.savedAs)) { +"history"; span("unseen") { +" of $name" } }
            }
        }
    }
    div("figures-of") { run.summary?.let { figures(it) } }
    div("when") {
        status(run)
        time { attributes["datetime"] = run.at; +minute(run.at) }
    }
}

private fun FlowContent.status(run: ListedRun) {
    span("tag ${style(run.status)}") { +run.status.word }
    when (run.summary?.gate.takeIf { run.status == RunStatus.COMPLETE }) {
        GateResult.FAILED -> span("tag refuted") { +"goal broken or claim refuted" }
        GateResult.CANNOT_TELL -> span("tag unsure") { +"not all can be told" }
        GateResult.PASSED, null -> Unit
    }
}

internal fun style(status: RunStatus): String = when (status) {
    RunStatus.UNDER_WAY -> "under-way"
    RunStatus.COMPLETE, RunStatus.UNREAD -> "same"
    RunStatus.INTERRUPTED, RunStatus.BROKEN_OFF -> "unsure"
    RunStatus.FAILED, RunStatus.UNREADABLE -> "refuted"
}

/** The throughput of the first situation, in the order of the plan: a list is no place for a verdict. */
private fun FlowContent.figures(summary: RunSummary) {
    val situation = summary.situations.firstOrNull { it.cells.isNotEmpty() }
    if (situation == null) {
        val kind = if (summary.isKnee) "Knee of " else if (summary.isMap) "Map of " else ""
        p("small") { +(kind + short(summary.stacks)) }
        return
    }
    p("small") {
        +situation.name
        val others = summary.situations.size - 1
        if (others > 0) +" and ${count(others, "more situation")}"
    }
    ul {
        situation.cells.take(SHOWN_STACKS).forEach { cell ->
            val value = cell.figures[Compared.THROUGHPUT]?.let { "${number(it.value)}/s" } ?: NOTHING
            li { span { +cell.stack }; span("number") { +value } }
        }
    }
    val more = situation.cells.size - SHOWN_STACKS
    if (more > 0) p("small") { +"and ${count(more, "more stack")}" }
}

private fun short(stacks: List<String>): String {
    val more = stacks.size - SHOWN_STACKS
    return stacks.take(SHOWN_STACKS).joinToString() + if (more > 0) " and $more more" else ""
}

private fun FlowContent.pages(page: RunsPage) = nav("pages") {
    attributes["aria-label"] = "Pages of the list"
    val at = page.asked.page
    if (at > 1) a(href = RunLinks.list(page.asked.copy(page = at - 1))) { attributes["rel"] = "prev"; +"Newer runs" }
    span { +"Page $at of ${page.pages}" }
    if (at < page.pages) {
        a(href = RunLinks.list(page.asked.copy(page = at + 1))) { attributes["rel"] = "next"; +"Older runs" }
    }
}

/** Longer searches are cut. */
const val MAX_QUERY = 200

private const val SHOWN_STACKS = 4

/** A run that has not ended is in no history. */
private val WITH_HISTORY = setOf(RunStatus.COMPLETE, RunStatus.INTERRUPTED, RunStatus.FAILED)
