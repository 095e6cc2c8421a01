package threadgauge.wording.doubt

import kotlin.math.abs
import threadgauge.model.Outcome
import threadgauge.model.doubt.LoadDoubt
import threadgauge.model.failure.Failure
import threadgauge.wording.counted
import threadgauge.wording.digits
import threadgauge.wording.failure.words
import threadgauge.wording.percent
import threadgauge.wording.plainPercent
import threadgauge.wording.whole

internal fun LoadDoubt.loadWords(): DoubtWords = when (this) {
    is LoadDoubt.LittlesLaw -> DoubtWords(
        "throughput × mean latency is ${percent(share)} of ${whole(users)} users (limit ${plainPercent(limit)} off)",
        "Look at failures and reconnections, and use a longer load.",
        "Little, \"A proof for the queuing formula L = λW\", Operations Research 9, 1961: users = throughput × " +
            "(mean latency + mean think time). If a result misses it by a fifth, its load is not the one described.",
    )
    is LoadDoubt.Failures -> DoubtWords(
        "${percent(share)} of the requests failed or were never answered (limit ${plainPercent(limit)}): " +
            "${kindsOfFailure()}",
        failureRemedy(),
        "A failure can be faster than an answer. One in a thousand does not change p99; one in twenty changes p95.",
    )
    is LoadDoubt.LeftOver -> leftOverWords()
    is LoadDoubt.FewSamples -> DoubtWords(
        "only ${counted(count, "answer")} for p99 (${whole(needed)} needed)",
        "Use a longer load.",
        "Below about ten values beyond a percentile, chance decides it. For p99 that takes a thousand answers.",
    )
    is LoadDoubt.ShortWindow -> shortWindowWords()
    is LoadDoubt.UnequalWork -> DoubtWords(
        "its answers have ${whole(ownBytes)} bytes on average, the median of all stacks is ${whole(typicalBytes)} " +
            "(limit ${plainPercent(limit)} off)",
        "Compare the answers of the stacks byte by byte, and fix the one that differs.",
        "Equal work has answers of equal length. Templates make lengths vary a little, by less than 1 %.",
    )
    is LoadDoubt.Outlier -> DoubtWords(
        "throughput of trial $trial is ${percent(abs(off))} ${if (off < 0) "lower" else "higher"} than that of the " +
            "others: " + if (severe) "a severe outlier" else "a mild outlier",
        "Look at this trial in the table of trials. More trials give it less weight.",
        "Deleted residual of the logarithm against Student's distribution (Cook and Weisberg, 1982), with Bonferroni " +
            "correction for the number of trials: mild below 1 in 100, severe below 1 in 1,000. Figures include it.",
    )
    is LoadDoubt.NotMeasured -> DoubtWords(
        "no figures in $missing of $of trials: ${failure?.words() ?: "the run ended early"}",
        if (failure.hasNoLog) "Correct what it names, and run again." else "Read the log, and run again.",
        "A missing figure cannot be judged.",
    )
}

private fun LoadDoubt.LeftOver.leftOverWords(): DoubtWords {
    val seconds = millis?.let { whole(it / 1e3) }
    return DoubtWords(
        if (seconds == null) "five minutes after the previous load it was still busy with abandoned requests"
        else "it was busy for $seconds s with abandoned requests of the previous load",
        "Put the heaviest load last, and leave it out of the warm-up: `warm-up: {situations: […]}`.",
        "Many servers process requests after their clients have disconnected, and the next load queues behind them. " +
            "It starts when a single user gets an answer, or after five minutes.",
    )
}

private fun LoadDoubt.ShortWindow.shortWindowWords(): DoubtWords {
    val typical = typicalMillis
    val quickest = quickestMillis
    val window = seconds(windowMillis)
    return DoubtWords(
        if (typical == null || quickest == null) {
            "no answer came within the window of $window, nor before the time limit after it"
        } else {
            "an answer takes ${seconds(typical)}, at least ${seconds(quickest)}, and the window was $window long " +
                "(limit ${plainPercent(limit)} of it)"
        },
        if (typical == null) {
            "Use a load longer than an answer (`for`, `--for`). If there are no answers at all, see the failures."
        } else {
            "Use a load longer than ${seconds(typical * TYPICAL_ANSWERS)} (`for`, `--for`): " +
                "$TYPICAL_ANSWERS times as long as an answer."
        },
        "The last requests are answered after the window, so the throughput of an open load is too low by answer " +
            "time ÷ window. From 50 % on, the figure depends more on the window than on the service.",
    )
}

private fun seconds(millis: Double) = if (millis < 1_000) "${digits(millis)} ms" else "${digits(millis / 1e3)} s"

/** Limits of the load agent or of this machine have their own remedies; other failures are in the server's log. */
private fun LoadDoubt.Failures.failureRemedy(): String = listOfNotNull(
    "Raise the limit of the headers of an answer: `max-header-bytes` in `connections`, `--max-header-bytes` of `try`."
        .takeIf { Outcome.HEADERS_TOO_LONG in kinds },
    "Keep connections open, or raise this machine's limit of open files (`ulimit -n`) or of local ports."
        .takeIf { Outcome.LOCAL_LIMIT in kinds },
    ("If your clients retry unprocessed requests, as browsers do, let the agent do so, too: " +
        "`repeat-unprocessed: yes` in `connections`, `--repeat-unprocessed` of `try`.")
        .takeIf { kinds.keys.any(REPEATABLE::contains) },
    "Read the server's log."
        .takeIf { unfinished + unsent > 0 || kinds.keys.any { it !in LIMITS_HERE } },
).joinToString(" ")

private val LIMITS_HERE = setOf(Outcome.HEADERS_TOO_LONG, Outcome.LOCAL_LIMIT)
private val REPEATABLE = setOf(Outcome.UNPROCESSED, Outcome.KEPT_CONNECTION_CLOSED)
private const val TYPICAL_ANSWERS = 10

private fun LoadDoubt.Failures.kindsOfFailure(): String {
    val rest = listOf(unfinished to "never answered", unsent to "never sent").filter { it.first > 0 }
    return (kinds.entries.map { it.value to it.key.words } + rest).joinToString { "${it.first} × ${it.second}" }
}

/** Nobody here started the target, so there is no log of it to read. */
private val Failure?.hasNoLog get() = this is Failure.Target && log == null
