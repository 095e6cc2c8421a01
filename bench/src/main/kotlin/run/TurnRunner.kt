package threadgauge.run

import java.io.IOException
import java.nio.file.Path
import threadgauge.knee.kneesOf
import threadgauge.knee.judgeProbe
import threadgauge.load.agent.Agents
import threadgauge.model.KneeQuestion
import threadgauge.model.Plan
import threadgauge.model.Repeat
import threadgauge.model.RepeatState
import threadgauge.model.Situation
import threadgauge.model.Stack
import threadgauge.model.Turn
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
import threadgauge.run.launch.asked
import threadgauge.run.launch.factsOf
import threadgauge.run.measure.KneeSearchRun
import threadgauge.run.measure.Measuring
import threadgauge.run.measure.WarmingUp
import threadgauge.run.sale.SaleStart
import threadgauge.store.RecordBook
import threadgauge.store.RecordFolder
import threadgauge.store.RecordNotWritten
import threadgauge.target.CompilerThreads
import threadgauge.target.Cores
import threadgauge.target.Target
import threadgauge.target.TargetFailed

/**
 * One turn: a fresh process of one stack, from its start to its end, with every situation measured once. Where a stack is a
 * service that runs already, a turn is a stretch of its life, and nothing is started or stopped.
 */
internal class TurnRunner(
    private val plan: Plan,
    private val agents: Agents,
    private val cores: Cores,
    private val machine: MachineProbe,
    private val folder: RecordFolder,
    private val book: RecordBook,
    private val cancellation: Cancellation,
    private val listener: RunListener,
    private val reference: ReferenceLoop,
    private val services: Services,
    private val training: Training,
) {
    private val watch = StartWatch(plan.experiment.restNanos, cores.target.size, cancellation)

    /** Services of the user's own that did not come to their first answer in the first repeat: it would be the same in all others. */
    private val neverReady = HashSet<String>()

    fun run(turn: Turn) {
        val stack = plan.stacks.first { it.name == turn.stack }
        if (stack.name in neverReady) {
            return listener(RunEvent.TurnFailed(turn, "${turn.stack} is left out, because it was never ready before"))
        }
        val situations = turn.situations.map { name -> stack.asked(plan.experiment.situations.first { it.name == name }, services.places) }
        val log = folder.logOf(turn)
        val logName = if (stack.url == null) folder.path.relativize(log).toString() else ""
        val repeat = OpenRepeat(book, Repeat(turn.stack, turn.repeat, RepeatState.RUNNING, command = stack.command, log = logName))
        try {
            starting(stack, situations, log).let { start ->
                cancellation.using(start.target) {
                    try {
                        measureAll(start, stack, turn, situations, repeat)
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
                repeat.change { copy(state = RepeatState.INTERRUPTED, stateReason = BY_THE_USER) }
                throw Cancelled()
            }
            // A connection to the server that is lost is the server's failure, not the run's.
            val isTheServers = failure is TargetFailed || failure is IOException
            repeat.change { copy(state = RepeatState.FAILED, stateReason = failure.reason(log)) }
            if (!stack.isShipped && turn.repeat == 1 && !repeat.wasReady) neverReady += stack.name
            if (!isTheServers) throw failure
            listener(RunEvent.TurnFailed(turn, "${turn.stack} failed: ${failure.reason(log)}"))
        }
    }

    private fun starting(planned: Stack, situations: List<Situation>, log: Path): TargetStart {
        val stack = planned.copy(command = watch.telling(planned.command, log))
        return when {
            stack.url != null -> RunningStart(stack, situations.first())
            stack.sells -> SaleStart(stack, training.placesOf(stack), cores, log, folder.logs.resolve("audit.log"), cancellation)
            stack.keepsContract -> ContractStart(stack, situations, training.placesOf(stack), cores.target, log)
            else -> ServiceStart(stack, situations.first(), cores.target, log)
        }
    }

    private fun measureAll(start: TargetStart, stack: Stack, turn: Turn, situations: List<Situation>, repeat: OpenRepeat) {
        val target = start.target
        repeat.change { copy(command = start.command) }
        watch.watched(target, start::awaitReady)?.let { boot ->
            repeat.change { copy(boot = boot) }
            listener(RunEvent.Booted(turn, boot))
            repeat.change { copy(rest = watch.rest(target)) }
        }
        // Where a service runs is its owner's affair: only what was started here is moved.
        val home = if (stack.url == null) cores.target else emptyList()
        val compiler = CompilerThreads(target.pid ?: 0, home, home + cores.agent)
        if (plan.experiment.warmUp.compilerOnAllCores) compiler.free()
        start.verify(repeat)
        target.pid?.let(JvmProbe::attach).use { jvm ->
            val sales = (start as? SaleStart)?.sales
            val measuring = Measuring(
                agents, target, jvm, machine, book, folder, listener, cores, reference, stack.keepsContract, sales, services::family,
            )
            repeat.change { copy(idle = measuring.jvmState()) }
            val warmUp = WarmingUp(plan.experiment.warmUp, measuring, jvm, compiler, cancellation, listener).run(turn, situations)
            repeat.change { copy(warmUp = warmUp) }
            if (plan.knee != null) findKnee(plan.knee, measuring, turn, situations.single(), repeat)
            else for (situation in situations) {
                cancellation.check()
                val putOff = measuring.awaitRest(turn, situation)
                val sample = measuring.measure(turn, situation).copy(putOffMillis = putOff)
                services.death()?.let { throw it }
                repeat.change { copy(samples = samples + sample) }
                listener(RunEvent.Measured(turn, sample))
            }
            if (!stack.isShipped) repeat.change { copy(facts = factsOf(target, jvm)) }
        }
        val firstCollection = folder.logOf(turn).let(watch::firstCollection)
        repeat.change { copy(state = RepeatState.MEASURED, firstCollectionBytes = firstCollection) }
    }

    private fun findKnee(question: KneeQuestion, measuring: Measuring, turn: Turn, situation: Situation, repeat: OpenRepeat) {
        val environment = book.record.environment
        val search = KneeSearchRun(question, environment, kneesOf(book.record), measuring, cancellation)
        search.run(turn, situation) { probe, left ->
            repeat.change { copy(probes = probes + probe) }
            listener(RunEvent.Probed(turn, judgeProbe(question.slo, turn.repeat, probe, environment), left))
        }
    }
}

/** The repeat under way; every change is on disk at once. Belongs to the run's thread. */
internal class OpenRepeat(private val book: RecordBook, begun: Repeat) {
    private var now = begun

    init {
        book.put(begun)
    }

    /** It came to its first correct answer. */
    val wasReady get() = now.boot != null || now.firstAnswer != null

    fun change(edit: Repeat.() -> Repeat) {
        now = now.edit()
        book.put(now)
    }
}

private fun Exception.reason(log: Path) = if (this is TargetFailed) message else "it could not be probed ($this). Its log: $log"
