package threadgauge.run

import threadgauge.contract.HttpContract
import threadgauge.judge.judgeKnee
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
import threadgauge.target.CompilerThreads
import threadgauge.target.Cores
import threadgauge.target.Target
import threadgauge.target.TargetFailed
import java.io.IOException
import java.nio.file.Path
import java.time.Duration

/** One turn: a fresh process of one stack, from its start to its end, with every situation measured once. */
internal class TurnRunner(
    private val plan: Plan,
    private val agents: Agents,
    private val cores: Cores,
    private val machine: MachineProbe,
    private val folder: RecordFolder,
    private val book: RecordBook,
    private val cancellation: Cancellation,
    private val listener: RunListener,
) {
    fun run(turn: Turn) {
        val stack = plan.stacks.first { it.name == turn.stack }
        val log = folder.logs.resolve("${turn.stack}-${turn.repeat}.log")
        val logName = folder.path.relativize(log).toString()
        val repeat = OpenRepeat(book, Repeat(turn.stack, turn.repeat, RepeatState.RUNNING, command = stack.command, log = logName))
        try {
            cancellation.using(Target.start(stack, javaProgram(), cores.target, log)) { measureAll(it, stack, turn, repeat) }
        } catch (failure: RecordNotWritten) {
            throw failure
        } catch (failure: Exception) {
            if (cancellation.isCancelled) {
                repeat.change { copy(state = RepeatState.INTERRUPTED, stateReason = BY_THE_USER) }
                throw Cancelled()
            }
            // A server that dies takes the probe's connection with it: an IOException here is its failure, not the run's.
            val isTheServers = failure is TargetFailed || failure is IOException
            repeat.change { copy(state = RepeatState.FAILED, stateReason = failure.reason(log)) }
            if (!isTheServers) throw failure
            listener(RunEvent.TurnFailed(turn, "${turn.stack} failed: ${failure.reason(log)}"))
        }
    }

    private fun measureAll(target: Target, stack: Stack, turn: Turn, repeat: OpenRepeat) {
        repeat.change { copy(command = target.command) }
        val boot = target.awaitReady(BOOT_PATIENCE, HELLO)
        repeat.change { copy(boot = boot) }
        listener(RunEvent.Booted(turn, boot))
        val compiler = CompilerThreads(target.pid, cores.target, cores.target + cores.agent)
        if (plan.experiment.warmUp.compilerOnAllCores) compiler.free()
        verify(target, stack, repeat)
        JvmProbe.attach(target.pid).use { jvm ->
            val measuring = Measuring(agents, target, jvm, machine, book, folder, listener)
            val situations = turn.situations.map { name -> plan.experiment.situations.first { it.name == name } }
            repeat.change { copy(idle = measuring.jvmState()) }
            val warmUp = WarmingUp(plan.experiment.warmUp, measuring, jvm, compiler, cancellation, listener).run(turn, situations)
            repeat.change { copy(warmUp = warmUp) }
            if (plan.knee != null) findKnee(plan.knee, measuring, turn, situations.single(), repeat)
            else for (situation in situations) {
                cancellation.check()
                val sample = measuring.measure(turn, situation)
                repeat.change { copy(samples = samples + sample) }
                listener(RunEvent.Measured(turn, sample))
            }
        }
        repeat.change { copy(state = RepeatState.MEASURED) }
    }

    private fun findKnee(question: KneeQuestion, measuring: Measuring, turn: Turn, situation: Situation, repeat: OpenRepeat) {
        val before = judgeKnee(book.record).processes.mapNotNull { it?.perSecond }
        KneeSearchRun(question, book.record.environment, before, measuring, cancellation).run(turn, situation) { probe ->
            repeat.change { copy(probes = probes + probe) }
            listener(RunEvent.Probed(turn, judgeKnee(book.record).probes.last(), repeat.probes))
        }
    }

    /** A server that does other work than it should, or is another model than it says, is not measured. */
    private fun verify(target: Target, stack: Stack, repeat: OpenRepeat) {
        val endpoints = plan.experiment.situations.mapTo(HashSet()) { it.request.endpoint }
        val violations = HttpContract.violations(target.uri, stack.name, stack.model.name, endpoints)
        if (violations.isNotEmpty()) {
            repeat.change { copy(contractViolations = violations) }
            throw TargetFailed("it breaks the HTTP contract: " + violations.joinToString("; "), target.log)
        }
        val runtime = readRuntime(target.uri)
        repeat.change { copy(runtime = runtime, boot = boot?.copy(frameworkMillis = runtime.startupMillis)) }
    }
}

/** The repeat under way; every change is on disk at once. Belongs to the run's thread. */
private class OpenRepeat(private val book: RecordBook, begun: Repeat) {
    private var now = begun

    val probes: Int get() = now.probes.size

    init {
        book.put(begun)
    }

    fun change(edit: Repeat.() -> Repeat) {
        now = now.edit()
        book.put(now)
    }
}

private fun Exception.reason(log: Path) = if (this is TargetFailed) message else "it could not be probed ($this). Its log: $log"

private val HELLO = checkNotNull(HttpContract.expectedBody("/hello")).decodeToString()

private val BOOT_PATIENCE = Duration.ofSeconds(120)
