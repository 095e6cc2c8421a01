package threadgauge.run

import java.io.IOException
import java.nio.file.Path
import threadgauge.knee.judgeProbe
import threadgauge.knee.kneesOf
import threadgauge.load.agent.Agents
import threadgauge.model.KneeQuestion
import threadgauge.model.Plan
import threadgauge.model.PlannedTrial
import threadgauge.model.Situation
import threadgauge.model.Stack
import threadgauge.model.Trial
import threadgauge.model.TrialState
import threadgauge.probe.JvmProbe
import threadgauge.probe.MachineProbe
import threadgauge.probe.ReferenceLoop
import threadgauge.run.launch.ContractStart
import threadgauge.run.launch.RunningStart
import threadgauge.run.launch.ServiceStart
import threadgauge.run.launch.Services
import threadgauge.run.launch.StartWatch
import threadgauge.run.launch.TargetStart
import threadgauge.run.launch.Training
import threadgauge.run.launch.factsOf
import threadgauge.run.launch.situationFor
import threadgauge.run.measure.KneeSearchRun
import threadgauge.run.measure.LoadMeasurement
import threadgauge.run.measure.WarmUpRunner
import threadgauge.run.sale.SaleStart
import threadgauge.store.RecordFolder
import threadgauge.store.RecordNotWritten
import threadgauge.store.RecordWriter
import threadgauge.target.CompilerThreads
import threadgauge.target.Cores
import threadgauge.target.TargetFailed

/**
 * One trial: a fresh process of one stack, from its start to its end, with every situation measured once. Where a stack
 * is a service that runs already, a trial is a part of its life, and nothing is started or stopped.
 */
internal class TrialRunner(
    private val plan: Plan,
    private val agents: Agents,
    private val cores: Cores,
    private val machine: MachineProbe,
    private val folder: RecordFolder,
    private val book: RecordWriter,
    private val cancellation: Cancellation,
    private val listener: RunListener,
    private val reference: ReferenceLoop,
    private val services: Services,
    private val training: Training,
) {
    private val watch = StartWatch(plan.experiment.restNanos, cores.target.size, cancellation)

    /**
     * Services of the user's own that did not come to their first answer in the first trial: it would be the same in
     * all others.
     */
    private val neverReady = HashSet<String>()

    fun run(planned: PlannedTrial) {
        val stack = plan.stacks.first { it.name == planned.stack }
        if (stack.name in neverReady) {
            return listener(
                RunEvent.TrialFailed(planned, "${planned.stack} is left out, because it was never ready before"),
            )
        }
        val situations = planned.situations
            .map { name ->
                stack.situationFor(plan.experiment.situations.first { it.name == name }, services.variables)
            }
        val log = folder.logOf(planned)
        val logName = if (stack.url == null) folder.path.relativize(log).toString() else ""
        val trial = OpenTrial(
            book, Trial(planned.stack, planned.number, TrialState.RUNNING, command = stack.command, log = logName),
        )
        try {
            starting(stack, situations, log).let { start ->
                cancellation.using(start.target) {
                    try {
                        measureAll(start, stack, planned, situations, trial)
                    } catch (lost: IOException) {
                        throw start.target.awaitDeath() ?: lost
                    }
                }
            }
        } catch (failure: RecordNotWritten) {
            throw failure
        } catch (seen: Exception) {
            val failure = services.death() ?: seen
            if (cancellation.isCancelled) {
                trial.change { copy(state = TrialState.INTERRUPTED, stateReason = BY_THE_USER) }
                throw Cancelled()
            }
            // A connection to the server that is lost is the server's failure, not the run's.
            val isTheServers = failure is TargetFailed || failure is IOException
            trial.change { copy(state = TrialState.FAILED, stateReason = failure.reason(log)) }
            if (!stack.isShipped && planned.number == 1 && !trial.wasReady) neverReady += stack.name
            if (!isTheServers) throw failure
            listener(RunEvent.TrialFailed(planned, "${planned.stack} failed: ${failure.reason(log)}"))
        }
    }

    private fun starting(planned: Stack, situations: List<Situation>, log: Path): TargetStart {
        val stack = planned.copy(command = watch.telling(planned.command, log))
        return when {
            stack.url != null -> RunningStart(stack, situations.first())
            stack.sells -> SaleStart(stack, training.variablesOf(stack), cores, log, folder.logs.resolve("audit.log"), cancellation)
            stack.keepsContract -> ContractStart(stack, situations, training.variablesOf(stack), cores.target, log)
            else -> ServiceStart(stack, situations.first(), cores.target, log)
        }
    }

    private fun measureAll(
        start: TargetStart,
        stack: Stack,
        planned: PlannedTrial,
        situations: List<Situation>,
        trial: OpenTrial,
    ) {
        val target = start.target
        trial.change { copy(command = start.command) }
        watch.watched(target, start::awaitReady)?.let { boot ->
            trial.change { copy(boot = boot) }
            listener(RunEvent.Booted(planned, boot))
            trial.change { copy(rest = watch.rest(target)) }
        }
        // Where a service runs is its owner's affair: only what was started here is moved.
        val home = if (stack.url == null) cores.target else emptyList()
        val compiler = CompilerThreads(target.pid ?: 0, home, home + cores.agent)
        if (plan.experiment.warmUp.compilerOnAllCores) compiler.free()
        start.verify(trial)
        target.pid?.let(JvmProbe::attach).use { jvm ->
            val sales = (start as? SaleStart)?.sales
            val measuring = LoadMeasurement(
                agents, target, jvm, machine, book, folder, listener, cores, reference, stack.keepsContract, sales, services::family,
            )
            trial.change { copy(idle = measuring.jvmState()) }
            val warmUp = WarmUpRunner(plan.experiment.warmUp, measuring, jvm, compiler, cancellation, listener)
                .run(planned, situations)
            trial.change { copy(warmUp = warmUp) }
            if (plan.knee != null) findKnee(plan.knee, measuring, planned, situations.single(), trial)
            else for (situation in situations) {
                cancellation.check()
                val putOff = measuring.awaitQuiescence(planned, situation)
                val sample = measuring.measure(planned, situation).copy(putOffMillis = putOff)
                services.death()?.let { throw it }
                trial.change { copy(samples = samples + sample) }
                listener(RunEvent.Measured(planned, sample))
            }
            if (!stack.isShipped) trial.change { copy(facts = factsOf(target, jvm)) }
        }
        val firstCollection = folder.logOf(planned).let(watch::firstCollection)
        trial.change { copy(state = TrialState.MEASURED, firstCollectionBytes = firstCollection) }
    }

    private fun findKnee(
        question: KneeQuestion,
        measuring: LoadMeasurement,
        planned: PlannedTrial,
        situation: Situation,
        trial: OpenTrial,
    ) {
        val environment = book.record.environment
        val search = KneeSearchRun(question, environment, kneesOf(book.record), measuring, cancellation)
        search.run(planned, situation) { probe, left ->
            trial.change { copy(probes = probes + probe) }
            listener(RunEvent.Probed(planned, judgeProbe(question.slo, planned.number, probe, environment), left))
        }
    }
}

/** The trial under way; every change is on disk at once. Belongs to the run's thread. */
internal class OpenTrial(private val book: RecordWriter, begun: Trial) {
    private var now = begun

    init {
        book.put(begun)
    }

    /** It came to its first correct answer. */
    val wasReady get() = now.boot != null || now.firstAnswer != null

    fun change(edit: Trial.() -> Trial) {
        now = now.edit()
        book.put(now)
    }
}

private fun Exception.reason(log: Path) =
    if (this is TargetFailed) message else "it could not be probed ($this). Its log: $log"
