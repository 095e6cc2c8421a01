package threadgauge.wording.doubt

import kotlin.math.abs
import threadgauge.model.Outcome
import threadgauge.model.doubt.LoadDoubt
import threadgauge.wording.digits
import threadgauge.wording.failure.words
import threadgauge.wording.percent
import threadgauge.wording.plainPercent
import threadgauge.wording.whole

internal fun LoadDoubt.loadWords(): DoubtWords = when (this) {
    is LoadDoubt.LittlesLaw -> DoubtWords(
        "rate × mean latency is ${percent(share)} of ${whole(users)} users, more than ${plainPercent(limit)} off",
        "Look at the failures and reconnections; lengthen the window.",
        "Little, \"A proof for the queuing formula L = λW\", Operations Research 9, 1961: users = rate × (mean " +
            "latency + mean think " +
            "time). Published results that miss it by a fifth describe another load than they say.",
    )
    is LoadDoubt.Failures -> DoubtWords(
        "${percent(share)} of requests failed or were never answered (limit ${plainPercent(limit)}): " +
            "${kindsOfFailure()}",
        failureRemedy(),
        "A failure in a thousand is still outside of p99; one in twenty is inside of p95, where a fast refusal " +
            "passes for a fast answer.",
    )
    is LoadDoubt.LeftOver -> leftOverWords()
    is LoadDoubt.FewSamples -> DoubtWords(
        "$count answers are too few for p99 (${whole(needed)} needed)",
        "Lengthen the window.",
        "A percentile needs about ten values beyond it before it is more than the luck of a few requests: for p99 a " +
            "thousand.",
    )
    is LoadDoubt.ShortWindow -> shortWindowWords()
    is LoadDoubt.UnequalWork -> DoubtWords(
        "its answers have ${whole(ownBytes)} bytes on average, those of the stacks together ${whole(typicalBytes)} " +
            "(limit ${plainPercent(limit)} off)",
        "Compare the answers of the stacks byte for byte, and mend the one that differs.",
        "Bodies of equal work are equally long. Templates make lengths vary a little; 1 % of the typical length is " +
            "more than that.",
    )
    is LoadDoubt.Outlier -> DoubtWords(
        "trial $trial served ${percent(abs(off))} ${if (off < 0) "less" else "more"} than the others, " +
            if (severe) "a severe outlier" else "a mild outlier",
        "Look at that trial in the table of trials; more trials give it less weight.",
        "Deleted residual of the logarithm beyond Student's distribution (Cook and Weisberg, 1982), after " +
            "Bonferroni for the number " +
            "of trials: mild below 1 in 100, severe below 1 in 1,000. It stays in all figures.",
    )
    is LoadDoubt.NotMeasured -> DoubtWords(
        "$missing of $of trials have no figures: ${failure?.words() ?: "the run ended before it was measured"}",
        "Read the log and run again.",
        "A figure that is missing cannot be good or bad.",
    )
}

private fun LoadDoubt.LeftOver.leftOverWords(): DoubtWords {
    val seconds = millis?.let { whole(it / 1e3) }
    return DoubtWords(
        if (seconds == null) "five minutes after the load before it was still busy with what that had left"
        else "it was busy for $seconds s with requests of the load before, whose callers were gone",
        "Put the heaviest load last, and leave it out of the warm-up: `warm-up: {situations: […]}`.",
        "Many servers carry out requests whose callers are gone, and the next load stands in line behind them. It " +
            "begins when a single " +
            "user is answered, and after five minutes in any case.",
    )
}

private fun LoadDoubt.ShortWindow.shortWindowWords(): DoubtWords {
    val typical = typicalMillis
    val quickest = quickestMillis
    val window = seconds(windowMillis)
    return DoubtWords(
        if (typical == null || quickest == null) {
            "no answer came within the window of $window, nor in the time to wait after it"
        } else {
            "an answer takes ${seconds(typical)}, ${seconds(quickest)} at the quickest, " +
                "and the window was $window long (limit ${plainPercent(limit)} of it)"
        },
        if (typical == null) {
            "Ask for a load longer than an answer takes (`for`, `--for`); if none ever comes, see the failures."
        } else {
            "Ask for a load longer than ${seconds(typical * TYPICAL_ANSWERS)} (`for`, `--for`): " +
                "$TYPICAL_ANSWERS times as long as an answer."
        },
        "Answers to the last requests come after the window, so the throughput of an open load is too low by answer " +
            "time ÷ window. From half of it on the figure says more about the window than about the service.",
    )
}

private fun seconds(millis: Double) = if (millis < 1_000) "${digits(millis)} ms" else "${digits(millis / 1e3)} s"

/** What a limit of ours, or of this machine, made has a remedy of its own; the server's log shows the others alone. */
private fun LoadDoubt.Failures.failureRemedy(): String = listOfNotNull(
    "Raise our limit of the head of an answer: `max-header-bytes` in `connections`, `--max-header-bytes` of `try`."
        .takeIf { Outcome.HEADERS_TOO_LONG in kinds },
    "Keep connections open, or raise this machine's limit of open files (`ulimit -n`) or of local ports."
        .takeIf { Outcome.LOCAL_LIMIT in kinds },
    ("If your clients repeat what was not processed, as browsers do, let the agent do so, too: " +
        "`repeat-unprocessed: yes` in `connections`, `--repeat-unprocessed` of `try`.")
        .takeIf { kinds.keys.any(REPEATABLE::contains) },
    "Read the server's log; a fast failure is not a fast answer."
        .takeIf { unfinished + unsent > 0 || kinds.keys.any { it !in LIMITS_HERE } },
).joinToString(" ")

private val LIMITS_HERE = setOf(Outcome.HEADERS_TOO_LONG, Outcome.LOCAL_LIMIT)
private val REPEATABLE = setOf(Outcome.UNPROCESSED, Outcome.KEPT_CONNECTION_CLOSED)
private const val TYPICAL_ANSWERS = 10

private fun LoadDoubt.Failures.kindsOfFailure(): String {
    val rest = listOf(unfinished to "never answered", unsent to "never sent").filter { it.first > 0 }
    return (kinds.entries.map { it.value to it.key.words } + rest).joinToString { "${it.first} × ${it.second}" }
}
