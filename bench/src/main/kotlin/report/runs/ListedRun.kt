package threadgauge.report.runs

import java.net.URLEncoder
import threadgauge.model.RunState
import threadgauge.model.RunSummary
import threadgauge.model.failure.Failure

/** A run of a list, as far as it is known. [folder] is the name of its folder, unique in the list. */
data class ListedRun(
    val folder: String,
    val status: RunStatus,
    /** ISO 8601 instant, UTC: the start of the run; where that is unknown, the last change of the record. */
    val at: String,
    /** Null where the record was not read yet, or cannot be read. It may lack figures. */
    val summary: RunSummary? = null,
    /** Why the record cannot be read; null where it can. */
    val fault: Failure? = null,
)

/** What became of a run. */
enum class RunStatus(val word: String) {
    UNDER_WAY("under way"),
    COMPLETE("complete"),
    INTERRUPTED("interrupted"),
    FAILED("failed"),

    /** Its process is gone, and could not say why. */
    BROKEN_OFF("broken off"),
    UNREADABLE("unreadable"),

    /** Its record has no summary, and is not read yet. */
    UNREAD("not read yet"),
    ;

    companion object {
        /** [isWritten]: a living process writes the record. */
        fun of(state: RunState, isWritten: Boolean): RunStatus = when (state) {
            RunState.RUNNING -> if (isWritten) UNDER_WAY else BROKEN_OFF
            RunState.COMPLETE -> COMPLETE
            RunState.INTERRUPTED -> INTERRUPTED
            RunState.FAILED -> FAILED
        }
    }
}

/** What a reader wants to see of a list of runs. [query] is words that all must occur. */
data class RunsAsked(val query: String = "", val status: RunStatus? = null, val page: Int = 1)

/** One page of a list of runs. */
data class RunsPage(
    /** Folder of the runs, as the user named it. */
    val place: String,
    val asked: RunsAsked,
    /** The runs of this page, the newest first. */
    val shown: List<ListedRun>,
    /** Runs that match, over all pages. */
    val matching: Int,
    /** All runs in the folder, and those whose records are not read yet. */
    val all: Int,
    val unread: Int,
    /** Never below 1. */
    val pages: Int,
)

/** Where things are in the page over all runs. */
object RunLinks {
    const val LIST = "/"
    const val HISTORIES = "/history"
    const val COMPARE = "/compare"

    fun report(folder: String) = "/runs/${encoded(folder)}/report"

    fun live(folder: String) = "/runs/${encoded(folder)}/live"

    /** Of all its runs, or of those that were saved as [savedAs]. */
    fun history(experiment: String, savedAs: String? = null): String =
        "$HISTORIES/${encoded(experiment)}" + savedAs?.let { "?saved-as=${encoded(it)}" }.orEmpty()

    fun compare(base: String, new: String) = "$COMPARE?base=${encoded(base)}&new=${encoded(new)}"

    internal fun list(asked: RunsAsked): String {
        val parts = listOfNotNull(
            asked.query.takeIf { it.isNotEmpty() }?.let { "q=${encoded(it)}" },
            asked.status?.let { "state=${it.name.lowercase()}" },
            asked.page.takeIf { it > 1 }?.let { "page=$it" },
        )
        return LIST + if (parts.isEmpty()) "" else parts.joinToString("&", "?")
    }

    private fun encoded(text: String): String = URLEncoder.encode(text, Charsets.UTF_8).replace("+", "%20")
}
