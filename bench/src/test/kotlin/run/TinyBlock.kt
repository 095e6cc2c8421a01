package threadgauge.run

import java.nio.file.Path
import kotlin.io.path.createTempFile
import kotlin.io.path.moveTo
import kotlin.io.path.readText
import kotlin.io.path.writeText
import kotlin.streams.asSequence
import threadgauge.model.ConcurrencyModel
import threadgauge.model.Experiment
import threadgauge.model.Load
import threadgauge.model.Record
import threadgauge.model.Situation
import threadgauge.model.Stack
import threadgauge.model.WarmUpRule
import threadgauge.model.plan.Plan
import threadgauge.model.plan.PlannedTrial
import threadgauge.model.plan.RoundsRule
import threadgauge.model.request.Request
import threadgauge.probe.MachineProbe
import threadgauge.store.RecordFolder
import threadgauge.target.TinyService

/** Runs of tiny services that are alive together, in [folder]. As short as possible: nobody reads the figures. */
internal class TinyBlock(private val folder: Path) {
    val cancellation = Cancellation()
    val record = RecordFolder(folder.resolve("record"))

    fun run(plan: Plan, machine: MachineProbe = MachineProbe(), hear: (RunEvent) -> Unit = {}): Record =
        Run(plan, record, cancellation, hear, machine = machine, patience = SHORT).execute()

    /** [rounds] rounds of a situation, and one or, unless [isShort], two situations more. */
    fun planOf(stacks: List<Stack>, rounds: Int = 5, trials: Int = 1, isShort: Boolean = false): Plan {
        val steady = Situation("steady", "are answered", Request(path = "/"), Load.Users(2, rounds * SLICE))
        val open = Situation("open", "arrive", Request(path = "/"), Load.Rate(100.0, 3 * SLICE))
        val burst = Situation("burst", "come at once", Request(path = "/"), Load.Burst(5))
        val situations = if (isShort) listOf(steady, burst) else listOf(steady, open, burst)
        // Without a warm-up there is no typical latency, so slices are never longer than planned.
        val warmUp = WarmUpRule(budgetNanos = 1, loadNanos = SLICE, pauseNanos = 0, situations = listOf("burst"))
        val experiment =
            Experiment("block", "Does it hold?", stacks.map { it.name }, situations, trials, warmUp = warmUp)
        val planned = (1..trials).flatMap { number ->
            stacks.map { PlannedTrial(it.name, number, situations.map { s -> s.name }) }
        }
        return Plan(experiment, stacks, planned, seed = 1, quick = false, rounds = RoundsRule(SLICE, SLICE / 4))
    }

    fun stackOf(name: String, service: String = "0:*:ok") = Stack(
        name, name, ConcurrencyModel.PLATFORM_THREADS, "as given",
        command = TinyService.command(service), folder = "$folder", keepsContract = false,
        environment = mapOf(MARK to "$folder/$name", TinyService.TROUBLE to "${troubleOf(name)}"),
    )

    /** Sets what the service [name] does at its next request. The file appears as a whole or not at all. */
    fun trouble(name: String, what: String) {
        val written = createTempFile(folder).also { it.writeText(what) }
        written.moveTo(troubleOf(name), overwrite = true)
    }

    fun kill(name: String) = left().single { "$folder/$name" in environmentOf(it) }.destroyForcibly()

    /** Services of this block that are alive. */
    fun left(): List<ProcessHandle> = ProcessHandle.current().descendants().asSequence()
        .filter { it.isAlive && "$MARK=$folder" in environmentOf(it) }
        .filter { it.info().command().orElse("").endsWith("java") }.toList()

    private fun troubleOf(name: String) = folder.resolve("$name.trouble")

    private fun environmentOf(process: ProcessHandle) =
        runCatching { Path.of("/proc/${process.pid()}/environ").readText() }.getOrDefault("")

    companion object {
        const val SLICE = 200_000_000L
        private const val MARK = "BLOCK_RUN_TEST"
        private val SHORT = Patience(drainNanos = 300_000_000, silenceNanos = 500_000_000)

        init {
            System.setProperty("threadgauge.briefly", "true")
        }
    }
}

internal fun Record.roundsOf(stack: String, situation: String, number: Int = 1): List<Int> =
    trials.single { it.stack == stack && it.number == number }.slices.filter { it.situation == situation }
        .map { it.round }

/** Round [number] begins, with its first situation. */
internal fun RunEvent.isRound(number: Int) =
    this is RunEvent.RoundStarted && round == number && situation == "steady"
