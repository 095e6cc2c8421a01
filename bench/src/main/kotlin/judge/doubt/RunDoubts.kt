package threadgauge.judge.doubt

import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.stats.MIN_TRIALS
import threadgauge.wording.percent

/** Doubts about the whole run. */
internal val runDoubts = listOf(
    RunRule(
        "not-pinned",
        "Where two processes share a core, each one's figures hold the other's work.",
        "Use a machine with at least two cores, on Linux.",
    ) { record ->
        val seen = "server and agent shared the same cores, so each took time from the other"
        if (record.environment.targetCores.isEmpty()) suspect(seen) else null
    },
    RunRule(
        "busy-machine",
        "Of two cores one at most is busy with the coordinator's own start, for a tenth of the time; more is somebody else.",
        "Close what else is running, and run again.",
    ) { record ->
        val busy = record.environment.busyBefore ?: return@RunRule null
        val seen = "something else kept ${percent(busy)} of the machine at work just before the run (limit ${percent(MAX_BUSY_BEFORE)})"
        if (busy > MAX_BUSY_BEFORE) suspect(seen) else null
    },
    RunRule("not-complete", "What is missing might have said something else.", "Run again, or carry it on with `run --resume`.") { record ->
        val why = record.stateReason ?: "it was ${record.state.name.lowercase()}"
        if (record.state != RunState.COMPLETE) suspect("the run did not end by itself: $why") else null
    },
    RunRule(
        "carried-on",
        "What was measured on another day met another machine: a drift between the parts falls on whole trials, not on all stacks alike.",
        "Run it in one go where a small difference matters.",
    ) { record ->
        val times = record.resumed.size
        val kept = record.resumed.lastOrNull()?.kept ?: return@RunRule null
        note("the run was carried on ${if (times == 1) "once" else "$times times"}; $kept trials were measured before")
    },
    RunRule(
        "measured-cold",
        "A process that has just started answers many times more slowly than the same one after its compiler has done its work.",
        "Leave out `warm-up: none` to learn the steady speed.",
    ) { record ->
        if (record.plan.experiment.warmUp.isNone) note("nothing was warmed up before it was measured, as was asked") else null
    },
    RunRule(
        "indicative",
        "Two values say next to nothing about how much a third would differ.",
        "Run without --quick, or with --trials $MIN_TRIALS or more.",
    ) { record ->
        val seen = "fewer than $MIN_TRIALS trials per stack give no interval, so no winner is named"
        if (fewestPlanned(record) < MIN_TRIALS) suspect(seen) else null
    },
)

internal fun fewestPlanned(record: Record) = record.plan.trials.groupingBy { it.stack }.eachCount().values.minOrNull() ?: 0

/** Of two cores one at most is busy with the coordinator's own start, for a tenth of the time; more is somebody else. */
internal const val MAX_BUSY_BEFORE = 0.15
