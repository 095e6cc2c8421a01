package threadgauge.report.runs

import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.h1
import kotlinx.html.id
import kotlinx.html.p
import kotlinx.html.section
import kotlinx.html.span
import kotlinx.html.table
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.thead
import kotlinx.html.tr
import threadgauge.report.format.NOTHING
import threadgauge.report.format.count
import threadgauge.report.format.number
import threadgauge.report.html.minute

/** An experiment with runs in a folder. */
class ListedExperiment(
    val name: String,
    val question: String,
    val runs: Int,
    /** ISO 8601 instant of the newest. */
    val newest: String,
    /** How many runs were saved under each name; runs without one are in none. */
    val saved: Map<String, Int> = emptyMap(),
)

/** The experiments of a folder, with links to their histories. */
fun historiesHtml(place: String, experiments: List<ListedExperiment>): String =
    servedPage("Histories in $place", count(experiments.size, "experiment"), RunLinks.HISTORIES, "experiments") {
        section {
            id = "experiments"
            h1("message") { +"How did figures go over the runs in $place?" }
            if (experiments.isEmpty()) p { +"There is no run of an experiment in this folder yet." } else
                table("experiments") {
                    thead {
                        tr {
                            th { +"Experiment" }
                            th { +"Saved as" }
                            th(classes = "number") { +"Runs" }
                            th { +"Newest run" }
                        }
                    }
                    tbody {
                        experiments.forEach {
                            tr {
                                th {
                                    a(href = RunLinks.history(it.name)) { +it.name }
                                    span("question") { +it.question }
                                }
                                td { savedNames(it) }
                                td("number") { +number(it.runs) }
                                td { +minute(it.newest) }
                            }
                        }
                    }
                }
        }
    }

private fun FlowContent.savedNames(experiment: ListedExperiment) {
    if (experiment.saved.isEmpty()) return +NOTHING
    experiment.saved.entries.forEachIndexed { index, (name, runs) ->
        if (index > 0) +", "
        a(href = RunLinks.history(experiment.name, name)) { +name }
        +" (${number(runs)})"
    }
}
