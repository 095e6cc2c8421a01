package threadgauge.report

import com.github.ajalt.mordant.rendering.AnsiLevel
import com.github.ajalt.mordant.terminal.Terminal
import java.nio.file.Files
import java.nio.file.Path
import threadgauge.judge.doubt.doubtCauses
import threadgauge.model.Load
import threadgauge.model.Received
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.model.Sample
import threadgauge.model.Situation
import threadgauge.model.Trial
import threadgauge.model.TrialState
import threadgauge.model.doubt.Doubt
import threadgauge.model.doubt.RunDoubt
import threadgauge.model.failure.Failure
import threadgauge.model.judgement.CannotTellReason
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.Judgement
import threadgauge.model.judgement.Validity
import threadgauge.model.judgement.Verdict
import threadgauge.model.judgement.cause.StackFlames
import threadgauge.model.request.Connections
import threadgauge.model.request.Expectation
import threadgauge.model.request.Protocol
import threadgauge.model.request.Request
import threadgauge.model.request.Tls
import threadgauge.report.html.htmlReport
import threadgauge.report.terminal.terminalReport

/** A record with the judgement that fits it. */
internal class Example(
    val record: Record,
    val judgement: Judgement = exampleJudgement(record),
    val flames: List<StackFlames> = emptyList(),
) {
    private val page by lazy { htmlReport(record, judgement, flames) }

    fun html(): String = page

    /** As a terminal of 80 columns shows it, without the spaces at the ends of lines. */
    fun terminal(ansi: AnsiLevel = AnsiLevel.NONE): String =
        Terminal(ansiLevel = ansi, width = 80, interactive = false)
            .render(terminalReport(record, judgement, "results/example/report.html"))
            .lines().joinToString("\n") { it.trimEnd() }
}

/**
 * Records that a report must also do justice to: each is [exampleRecord] with something gone wrong or left out. Each is
 * judged once, by the first test that asks for it.
 */
internal val EXAMPLE_VARIANTS: Map<String, () -> Example> = linkedMapOf(
    "usual" to { Example(exampleRecord()) },
    "claims" to { exampleWithClaims() },
    "goals" to { exampleWithGoals() },
    "causes" to { exampleWithCauses() },
    "flames" to { exampleWithFlames() },
    "one-stack" to { Example(exampleRecord(stacks = 1)) },
    "twelve-stacks" to { Example(exampleRecord(stacks = 12)) },
    "one-trial" to { Example(exampleRecord(trials = 1)) },
    "two-trials" to { Example(exampleRecord(trials = 2)) },
    "interrupted" to { Example(interruptedRecord()) },
    "failed-trials" to { Example(recordWithFailedTrials()) },
    "no-warm-up" to { Example(recordWithoutWarmUp()) },
    "nothing-measured" to { Example(recordOfNothing()) },
    "nobody-answered" to { Example(exampleRecord(), judgementWithoutAnswers()) },
    "counted" to { Example(recordWithCounts(), judgementWithCounts()) },
    "hostile" to { Example(hostileRecord(), hostileJudgement()) },
).mapValues { (_, make) -> lazy(make)::value }

/** Ended in the second process: two stacks have no figure at all, and one has none in the last situation. */
internal fun interruptedRecord(): Record {
    val record = exampleRecord(state = RunState.INTERRUPTED)
    val (first, second) = record.trials
    val cut = second.copy(
        state = TrialState.INTERRUPTED,
        stateReason = "interrupted while measuring “hello”",
        samples = second.samples.dropLast(1),
    )
    val environment = record.environment.copy(agentCores = emptyList(), targetCores = emptyList(), agentCeiling = null)
    return record.copy(trials = listOf(first, cut), environment = environment)
}

/** Spring WebFlux failed in one trial, and Ktor in all of them. */
internal fun recordWithFailedTrials(): Record = exampleRecord().mapTrials { trial ->
    val failed = trial.copy(state = TrialState.FAILED, samples = emptyList(), warmUp = null, boot = null)
    when {
        trial.stack == "ktor-netty" -> failed.copy(
            stateReason = "It does other work than the contract asks for.",
            runtime = null,
            contractViolations = listOf(
                "GET /hello must answer “Hello, world”, but answered “hello”",
                "GET /delay/100 answered after 3 ms",
            ),
        )
        trial.stack == "spring-webflux" && trial.number == 2 ->
            failed.copy(stateReason = "The process ended with exit code 137 before its port was open.")
        else -> trial
    }
}

internal fun recordWithoutWarmUp(): Record = exampleRecord().mapTrials { it.copy(warmUp = null) }

/** The first situation sends a body over HTTP/2, checks and counts its answers, and asks for gzip. */
internal fun recordWithCounts(states: List<String> = listOf("granted", "sold out", "")): Record {
    val record = exampleRecord().mapTrials { trial ->
        trial.copy(samples = trial.samples.map { if (it.situation == "wait") it.counting(states) else it })
    }
    val situations = record.plan.experiment.situations.map { if (it.name == "wait") it.selling() else it }
    return record.copy(plan = record.plan.copy(experiment = record.plan.experiment.copy(situations = situations)))
}

internal fun judgementWithCounts(): Judgement = exampleJudgement(recordWithCounts()).let { judgement ->
    val situations = judgement.situations.map {
        if (it.situation.name == "wait") it.copy(situation = it.situation.selling()) else it
    }
    judgement.copy(situations = situations)
}

private fun Situation.selling() = copy(
    request = Request(
        "POST", "/api/seats/{1..10000}/hold", mapOf("Content-Type" to "application/json", "X-Trace" to "{random:16}"),
        "{\"user\": \"{seq}\"}", gzip = true,
        expect = Expectation(listOf(201, 409), json = mapOf("seat.state" to "granted")),
        count = "outcome",
    ),
    load = Load.Steps(listOf(Load.Rate(100.0, 10_000_000_000), Load.Poisson(500.0, 10_000_000_000), Load.Burst(1_000))),
    connections = Connections(Protocol.HTTP_2, Tls(), streams = 10),
)

private fun Sample.counting(states: List<String>): Sample {
    val answered = counts.answered
    val shares = states.mapIndexed { index, state -> state to answered / (2L shl index) }.toMap()
    return copy(received = Received(answered * 310, answered * 1_240), counted = shares)
}

internal fun recordOfNothing(): Record =
    exampleRecord(state = RunState.FAILED).copy(trials = emptyList(), stateReason = "No Java 25 was found")

/** In the first situation every answer of every stack came after the window, so that all rates are 0. */
internal fun judgementWithoutAnswers(): Judgement = exampleJudgement(exampleRecord()).let { judgement ->
    val none = Figure(0.0, 0.0, 0.0, listOf(0.0, 0.0, 0.0))
    val first = judgement.situations.first()
    val silent = first.copy(cells = first.cells.map { it.copy(throughput = none, ceilings = emptyList()) })
    judgement.copy(situations = listOf(silent) + judgement.situations.drop(1))
}

/** What somebody who means harm writes. */
internal const val HOSTILE =
    "</script><script>window.broken=true</script><img src=x onerror=\"window.broken=true\">&amp;'\"\u2028"

internal fun hostileRecord(): Record {
    val record = exampleRecord(stacks = 3).mapTrials {
        it.copy(
            log = HOSTILE, command = listOf(HOSTILE), runtime = it.runtime!!.copy(settings = mapOf(HOSTILE to HOSTILE)),
        )
    }
    val stacks =
        record.plan.stacks.map { it.copy(title = "${it.title} $HOSTILE", folder = HOSTILE, command = listOf(HOSTILE)) }
    val experiment = record.plan.experiment.copy(question = "Is $HOSTILE escaped?", name = HOSTILE)
    return record.copy(
        id = "record-$HOSTILE",
        plan = record.plan.copy(experiment = experiment, stacks = stacks),
        environment = record.environment.copy(cpu = HOSTILE, settings = mapOf(HOSTILE to HOSTILE)),
    )
}

internal fun hostileJudgement(): Judgement {
    val judgement = exampleJudgement(hostileRecord())
    val doubts = listOf(Doubt(RunDoubt.NotComplete(RunState.FAILED, Failure.Told(HOSTILE)), Validity.SUSPECT))
    val situations =
        judgement.situations.map { it.copy(verdict = Verdict.CannotTell(CannotTellReason.OnlyOne(HOSTILE))) }
    return judgement.copy(
        doubts = doubts, situations = situations,
        goals = exampleGoals().map { it.copy(stack = "stack $HOSTILE", situation = HOSTILE) },
        causes = doubtCauses(situations, doubts, hostileRecord().environment),
    )
}

private fun Record.mapTrials(change: (Trial) -> Trial) = copy(trials = trials.map(change))

/** Writes every variant into the folder that is given, to look at them: run it from an editor, or with `java -cp`. */
fun main(arguments: Array<String>) {
    val folder = Path.of(arguments.firstOrNull() ?: "target/example-reports")
    Files.createDirectories(folder)
    EXAMPLE_VARIANTS.forEach { (name, variant) ->
        Files.writeString(folder.resolve("$name.html"), variant().html())
        Files.writeString(folder.resolve("$name.txt"), variant().terminal())
    }
}
