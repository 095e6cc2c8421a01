package threadgauge.cli.progress

import com.github.ajalt.mordant.rendering.TextColors.green
import com.github.ajalt.mordant.rendering.TextColors.yellow
import com.github.ajalt.mordant.rendering.TextStyles.bold
import com.github.ajalt.mordant.rendering.TextStyles.dim
import com.github.ajalt.mordant.terminal.Terminal
import java.util.Locale
import java.util.Timer
import kotlin.concurrent.schedule
import kotlin.time.Duration
import kotlin.time.Duration.Companion.nanoseconds
import threadgauge.judge.progress.tooShortFor
import threadgauge.model.judgement.DoubtLimits
import threadgauge.model.plan.Goal
import threadgauge.run.RunEvent
import threadgauge.wording.digits
import threadgauge.wording.failure.words
import threadgauge.wording.percent
import threadgauge.wording.remedy
import threadgauge.wording.seen
import threadgauge.wording.words

/** Prints the progress of a run. Called on the thread of the run. */
internal interface Progress : AutoCloseable {
    /** Not to be called with [RunEvent.OfLoad], while printing would disturb a measurement. */
    fun hear(event: RunEvent)

    override fun close() = Unit
}

/** A moving line on interactive terminals, plain lines elsewhere, because moving lines are unreadable in logs. */
internal fun progressFor(terminal: Terminal): Progress =
    if (terminal.terminalInfo.outputInteractive) {
        MovingProgress(terminal)
    } else {
        PlainProgress(print = { terminal.println(it) })
    }

/**
 * One line for each finished step, and the current step if nothing was printed for [silenceNanos], because silence in
 * the log of a build server looks like a hang. [nanos] is a clock.
 */
internal class PlainProgress(
    private val silenceNanos: Long = SILENCE_NANOS,
    private val nanos: () -> Long = System::nanoTime,
    private val print: (String) -> Unit,
) : Progress {
    private var now = ""
    private var printedNanos = nanos()
    private val watch = Timer("progress", true)

    init {
        watch.schedule(LOOK_MILLIS, LOOK_MILLIS) { look() }
    }

    @Synchronized
    override fun hear(event: RunEvent) {
        passing(event)?.let { now = it }
        lasting(event)?.let(::say)
    }

    /** Prints the current step if nothing was printed for too long. */
    @Synchronized
    fun look() {
        if (now.isNotEmpty() && nanos() - printedNanos >= silenceNanos) say("  … $now")
    }

    override fun close() = watch.cancel()

    private fun say(line: String) {
        printedNanos = nanos()
        print(line)
    }

    private companion object {
        const val SILENCE_NANOS = 30_000_000_000L
        const val LOOK_MILLIS = 1_000L
    }
}

/** The lasting lines, and below them one with the current step and the time left. */
internal class MovingProgress(private val terminal: Terminal) : Progress {
    private var now = ""
    private var turnsAfter = Duration.ZERO
    private val line = MovingLine(terminal)

    override fun hear(event: RunEvent) {
        lasting(event)?.let { terminal.println(it) }
        if (event is RunEvent.Planned && event.plan.goal == null) line.endsIn(event.estimate)
        if (event is RunEvent.BlockStarted && event.left != null) {
            line.endsIn(event.left)
            turnsAfter = event.left * (event.of - event.index - event.planned.size) / (event.of - event.index)
        }
        if (event is RunEvent.Probed) line.endsIn(event.left + turnsAfter)
        passing(event)?.let { now = it }
        line.say(now)
    }

    override fun close() = line.close()
}

private fun lasting(event: RunEvent): String? = when (event) {
    is RunEvent.Planned ->
        bold(event.plan.experiment.question) + "\n" + dim(planWords(event)) + busyWords(event.busy) + shortWords(event)
    is RunEvent.AgentCalibrated ->
        whole(event.ceiling.requestsPerSecond)
            .let { dim("The maximum throughput of the load agent is $it/s on this machine.") }
    is RunEvent.Trained -> dim(
        "${event.stack} has written an archive of ${event.bytes / 1_000_000} MB for its starts, " +
            "in ${event.took.toSeconds()} s.",
    )
    is RunEvent.BlockStarted -> "\n" + bold(blockWords(event)) +
        dim(event.left?.let { " · about ${short(it)} left" }.orEmpty())
    is RunEvent.Booted ->
        "  ${event.planned.stack.padEnd(STACK_WIDTH)} started in " +
            "${"%.1f".format(Locale.ROOT, event.boot.firstAnswerMillis / 1e3)} s"
    is RunEvent.Measured -> event.sample.let { sample ->
        val failed = sample.counts.failed
        val times = "p50 ${millis(sample.latency.p50Micros)}   p99 ${millis(sample.latency.p99Micros)}"
        val figures = "${digits(sample.perSecond).padStart(9)}/s   $times"
        "  ${event.planned.stack.padEnd(STACK_WIDTH)} ${sample.situation.padEnd(SITUATION_WIDTH)} ${green(figures)}" +
            if (failed > 0) yellow("   ${whole(failed.toDouble())} failed") else ""
    }
    is RunEvent.Probed -> "  " + probeLine(event)
    is RunEvent.Paused -> yellow("  ${event.pause.words()}")
    is RunEvent.InTurns -> yellow("  From here on ${event.why.seen}. ${event.why.remedy}")
    is RunEvent.TrialFailed -> yellow("  ${event.planned.stack} failed: ${event.failure.words()}")
    is RunEvent.BlockEnded -> comparisonLines(event.record).joinToString("\n").ifEmpty { null }
    is RunEvent.WarmedUp, is RunEvent.PutOff, is RunEvent.Measuring, is RunEvent.Training, is RunEvent.PodsReady,
    is RunEvent.TrialStarted, is RunEvent.RoundStarted, is RunEvent.PlaceStarted, is RunEvent.Profiling,
    is RunEvent.OfLoad,
    -> null
}

private fun passing(event: RunEvent): String? = when (event) {
    is RunEvent.Planned -> "warming up the load agent"
    is RunEvent.Training -> "training ${event.stack}"
    is RunEvent.PodsReady -> "starting load agents in the cluster: ${event.ready} of ${event.pods}" +
        event.why?.let { "; $it" }.orEmpty()
    is RunEvent.TrialStarted -> "starting ${event.planned.stack}"
    is RunEvent.Booted -> "verifying ${event.planned.stack}"
    is RunEvent.RoundStarted -> "round ${event.round} of ${event.rounds}: ${event.situation}"
    is RunEvent.PlaceStarted -> "place ${event.place}: ${event.situation}" + bordersWords(event)
    is RunEvent.WarmedUp -> "warming up ${event.planned.stack}, " +
        "${short(event.spent)} of at most ${short(event.budget)}: " +
        "${event.iteration.situation} ${digits(event.iteration.answeredPerSecond)}/s"
    is RunEvent.PutOff -> "waiting until ${event.planned.stack} has processed the rest of the previous load"
    is RunEvent.Measuring ->
        "measuring ${event.situation}, second ${event.second}" + (event.of?.let { " of $it" } ?: "") +
            if (event.failed > 0) ", ${event.failed} failed" else ""
    is RunEvent.Profiling -> "looking for causes: ${event.planned.stack}, ${event.situation}"
    is RunEvent.AgentCalibrated, is RunEvent.Trained, is RunEvent.Measured, is RunEvent.Probed -> null
    is RunEvent.TrialFailed, is RunEvent.InTurns, is RunEvent.Paused -> null
    is RunEvent.BlockStarted, is RunEvent.BlockEnded, is RunEvent.OfLoad -> null
}

private fun bordersWords(event: RunEvent.PlaceStarted) =
    if (event.borders == 0) "" else ", ${count(event.borders, "border")} so far, ${event.known} well known"

private fun planWords(event: RunEvent.Planned): String {
    val experiment = event.plan.experiment
    val what = if (event.plan.stacks.all { it.url != null }) "times" else "fresh processes"
    val trials = if (experiment.trials == 1) "once each" else "${experiment.trials} $what each"
    val counts = "${count(experiment.stacks.size, "stack")}, ${count(experiment.situations.size, "situation")}"
    val map = event.plan.map
    val size = when {
        map != null -> "${count(experiment.stacks.size, "stack")}, a grid of ${map.work.size} by ${map.users.size} " +
            "places of which the search chooses some, ${short(map.budgetNanos.nanoseconds)} at most"
        event.plan.goal != null -> "$counts, ${goalWords(event.plan.goal)}"
        else -> "$counts, $trials: about ${short(event.estimate)}"
    }
    val processes = event.plan.trials.size
    val before = "Resumed: ${event.kept} of $processes processes were measured before and are kept.\n"
    val kept = if (event.kept == 0) "" else before
    return "$kept$size. Ctrl-C stops it and keeps the results so far.\nRecord: ${event.folder}"
}

private fun goalWords(goal: Goal): String {
    val limit = goal.budgetNanos?.let { "${short(it.nanoseconds)} at most" }
    val until = goal.within?.let { "until every difference is told or within ± ${percent(it)}" }
    return listOfNotNull(until, limit).joinToString(", ")
}

private fun blockWords(event: RunEvent.BlockStarted): String {
    val first = event.planned.first()
    if (event.planned.size == 1) return "${event.index + 1} of ${event.of}  ${first.stack}, trial ${first.number}"
    val of = if (event.plansItself) "" else " of ${event.of / event.planned.size}"
    return "Block ${first.number}$of: ${count(event.planned.size, "stack")} side by side"
}

/** A warning before the run. */
private fun busyWords(busy: Double?) = if (busy == null || busy <= DoubtLimits.BUSY_BEFORE) "" else "\n" + yellow(
    "Other programs use ${percent(busy)} of the CPU time, such as a build or another run, so the figures will have " +
        "doubts. Stop those programs and start again, or continue.",
)

/** Said before the time is spent. */
private fun shortWords(event: RunEvent.Planned) = tooShortFor(event.plan)?.let {
    "\n" + yellow(
        "This time may give no interval: the three blocks that one needs take about ${short(it)} here. Give a larger " +
            "--budget, or compare fewer stacks or situations.",
    )
}.orEmpty()

internal const val STACK_WIDTH = 24
internal const val SITUATION_WIDTH = 18

private fun count(number: Int, word: String) = "$number $word" + if (number == 1) "" else "s"

private fun millis(micros: Double) = "%8.2f ms".format(Locale.ROOT, micros / 1e3)

private fun whole(value: Double) = "%,d".format(Locale.ROOT, Math.round(value))
