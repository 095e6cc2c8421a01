package threadgauge.judge.doubt

import kotlin.math.abs
import threadgauge.model.Load
import threadgauge.model.TrialState
import threadgauge.model.judgement.FAILURES
import threadgauge.model.meanNanos
import threadgauge.model.think
import threadgauge.stats.Grade
import threadgauge.stats.median
import threadgauge.stats.outliers
import threadgauge.wording.percent
import threadgauge.wording.whole

/** Doubts about what was asked and what came back. */
internal val loadDoubts = listOf(
    SampleRule(
        "littles-law",
        "Little, \"A proof for the queuing formula L = λW\", Operations Research 9, 1961: users = rate × (mean latency + mean think " +
            "time). Published results that miss it by a fifth describe another load than they say.",
        "Look at the failures and reconnections; lengthen the window.",
    ) { e ->
        val load = e.situation.load as? Load.Users ?: return@SampleRule null
        val users = load.users * (1 - minOf(1.0, load.rampInNanos.toDouble() / load.forNanos) / 2)
        val roundSeconds = e.sample.latency.meanMicros / 1e6 + (load.think?.meanNanos ?: 0.0) / 1e9
        // What a user sent last may be under way mostly after the end: it counts where too little would be seen, not where too much.
        val most = e.sample.counts.sent / (e.sample.windowMillis / 1e3) * roundSeconds / users
        val least = maxOf(0L, e.sample.counts.sent - load.users) / (e.sample.windowMillis / 1e3) * roundSeconds / users
        val share = 1.0.coerceIn(least, most)
        val off = abs(share - 1)
        val seen = "rate × mean latency is ${percent(share)} of ${whole(users)} users, more than 10 % off"
        if (off > 0.20) invalid(seen) else if (off > 0.10) suspect(seen) else null
    },
    SampleRule(
        FAILURES,
        "A failure in a thousand is still outside of p99; one in twenty is inside of p95, where a fast refusal passes for a fast answer.",
        "Read the server's log; a fast failure is not a fast answer.",
    ) { e ->
        val share = e.sample.counts.failed.toDouble() / maxOf(1, e.sample.counts.scheduled)
        val seen = "${percent(share)} of requests failed or were never answered (limit 0.1 %): ${e.kindsOfFailure()}"
        if (share > 0.05) invalid(seen) else if (share > 0.001) suspect(seen) else null
    },
    SampleRule(
        "left-over",
        "Many servers carry out requests whose callers are gone, and the next load stands in line behind them. It begins when a single " +
            "user is answered, and after five minutes in any case.",
        "Put the heaviest load last, and leave it out of the warm-up: `warm-up: {situations: […]}`.",
    ) { e ->
        val millis = e.sample.putOffMillis
        if (millis == null) invalid("five minutes after the load before it was still busy with what that had left")
        else if (millis > 1_000) note("it was busy for ${whole(millis / 1e3)} s with requests of the load before, whose callers were gone")
        else null
    },
    SampleRule(
        "few-samples",
        "A percentile needs about ten values beyond it before it is more than the luck of a few requests: for p99 a thousand.",
        "Lengthen the window.",
    ) { e ->
        val count = e.sample.latency.count
        if (count in 1..999) suspect("$count answers are too few for p99 (1,000 needed)") else null
    },
    CellRule(
        "unequal-work",
        "Bodies of equal work are equally long. Templates make lengths vary a little; 1 % of the typical length is more than that.",
        "Compare the answers of the stacks byte for byte, and mend the one that differs.",
    ) { c ->
        // Where several answers are correct, how often each was given is part of the result.
        if (c.situation.request.expect.statuses.size > 1) return@CellRule null
        val own = bodyBytes(c, c.stack.name) ?: return@CellRule null
        val all = c.record.plan.stacks.mapNotNull { bodyBytes(c, it.name) }
        val usual = median(all)
        val seen = "its answers have ${whole(own)} bytes on average, those of the stacks together ${whole(usual)} (limit 1 % off)"
        if (all.size > 1 && abs(own - usual) > 0.01 * maxOf(usual, 1.0)) suspect(seen) else null
    },
    CellRule(
        "outlier",
        "Deleted residual of the logarithm beyond Student's distribution (Cook and Weisberg, 1982), after Bonferroni for the number of " +
            "trials: mild below 1 in 100, severe below 1 in 1,000. It stays in all figures.",
        "Look at that trial in the table of trials; more trials give it less weight.",
    ) { c ->
        val found = outliers(c.samples.map { it.perSecond })
        val worst = found.maxByOrNull { it.grade } ?: return@CellRule null
        val number = c.trials.filter { trial -> trial.samples.any { it.situation == c.situation.name } }[worst.index].number
        val where = "trial $number served ${percent(abs(worst.off))} ${if (worst.off < 0) "less" else "more"} than the others"
        if (worst.grade == Grade.SEVERE) suspect("$where, a severe outlier") else note("$where, a mild outlier")
    },
    CellRule("not-measured", "A figure that is missing cannot be good or bad.", "Read the log and run again.") { c ->
        val missing = c.trials.filter { trial -> trial.samples.none { it.situation == c.situation.name } }
        if (missing.isEmpty()) return@CellRule null
        val why = missing.firstOrNull { it.state == TrialState.FAILED }?.stateReason ?: "the run ended before it was measured"
        val seen = "${missing.size} of ${c.trials.size} trials have no figures: $why"
        if (missing.size == c.trials.size) invalid(seen) else suspect(seen)
    },
)

/** Mean length of a correct answer of [stack], unpacked; null where none came. */
private fun bodyBytes(c: CellEvidence, stack: String): Double? {
    val samples = c.record.trials.filter { it.stack == stack }.flatMap { it.samples }.filter { it.situation == c.situation.name }
    val answers = samples.sumOf { it.counts.answered }
    return if (answers == 0L) null else samples.sumOf { it.received.unpackedBytes }.toDouble() / answers
}

private fun Evidence.kindsOfFailure(): String {
    val counts = sample.counts
    val rest = listOf(counts.unfinished to "never answered", counts.unsent to "never sent").filter { it.first > 0 }
    return (counts.failures.entries.map { it.value to it.key.words } + rest).joinToString { "${it.first} × ${it.second}" }
}
