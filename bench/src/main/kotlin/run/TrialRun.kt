package threadgauge.run

import kotlin.time.Duration
import threadgauge.knee.judgeProbe
import threadgauge.knee.kneesOf
import threadgauge.model.Rehearsal
import threadgauge.model.Sample
import threadgauge.model.SeenPort
import threadgauge.model.Situation
import threadgauge.model.Stack
import threadgauge.model.TrialState
import threadgauge.model.plan.KneeQuestion
import threadgauge.model.plan.PlannedTrial
import threadgauge.model.plan.Slice
import threadgauge.model.plan.WarmUp
import threadgauge.model.profile.NoProfile
import threadgauge.model.profile.NoProfileReason
import threadgauge.plan.ProfileLoad
import threadgauge.plan.hasProfiles
import threadgauge.plan.profileLoad
import threadgauge.plan.rehearsesProfiles
import threadgauge.probe.FamilyProbe
import threadgauge.probe.JvmProbe
import threadgauge.run.launch.ContractStart
import threadgauge.run.launch.RunningStart
import threadgauge.run.launch.ServiceStart
import threadgauge.run.launch.StartWatch
import threadgauge.run.launch.TargetStart
import threadgauge.run.launch.factsOf
import threadgauge.run.launch.situationFor
import threadgauge.run.measure.KneeSearchRun
import threadgauge.run.measure.LoadMeasurement
import threadgauge.run.measure.ProfileSlice
import threadgauge.run.measure.WarmUpBudget
import threadgauge.run.measure.WarmUpRunner
import threadgauge.run.sale.SaleStart
import threadgauge.target.CompilerThreads
import threadgauge.target.Target
import threadgauge.target.TargetFailed

/**
 * One trial: a fresh process of one stack, from its start to its end. If a stack is a service that already runs, the
 * trial is a part of its life, and nothing is started or stopped.
 *
 * The constructor starts the process. The steps are called once each, in the order of this file, on the run's thread.
 */
internal class TrialRun(
    private val context: RunContext,
    private val surrounding: Surrounding,
    val planned: PlannedTrial,
    private val stack: Stack,
    private val trial: OpenTrial,
) : AutoCloseable {
    private val plan = context.plan
    val situations: List<Situation> = planned.situations.map { name ->
        stack.situationFor(plan.experiment.situations.first { it.name == name }, surrounding.services.variables)
    }
    private val watch = StartWatch(plan.experiment.restNanos, context.cores.target.size, context.cancellation)
    private val start = startOf(stack.copy(command = watch.telling(stack.command, context.folder.logOf(planned))))
    val target: Target get() = start.target
    private val compiler: CompilerThreads by lazy {
        // Only processes that were started here are moved: where another service runs is up to its owner.
        val home = if (stack.url == null) context.cores.target else emptyList()
        CompilerThreads(target.pid ?: 0, home, home + context.cores.agent)
    }
    private var jvm: JvmProbe? = null

    /** Set by [warmUp]. */
    lateinit var measuring: LoadMeasurement
        private set

    /**
     * Waits for the first correct answer, and observes the process at rest if the experiment asks for it. Throws
     * [TargetFailed].
     */
    fun launch() {
        trial.change { copy(command = start.command) }
        watch.watched(target, start::awaitReady)?.let { boot ->
            trial.change { copy(boot = boot) }
            context.tell(RunEvent.Booted(planned, boot))
            trial.change { copy(rest = watch.rest(target)) }
        }
        if (plan.experiment.warmUp.compilerOnAllCores) compiler.free()
    }

    /** Throws [TargetFailed] if the target does not do what it should, or an agent cannot connect to it. */
    fun verify() {
        start.verify(trial)
        surrounding.fleet?.let { fleet -> trial.change { copy(reachNanos = fleet.reach(target)) } }
    }

    /** Prepares the warm-up within [budget]; the caller runs its cycles. */
    fun warmUp(budget: WarmUpBudget): WarmUpRunner {
        jvm = attached()
        measuring = LoadMeasurement(
            context, surrounding, target, jvm, stack.keepsContract, sales = (start as? SaleStart)?.sales,
        )
        trial.change { copy(idle = measuring.jvmState()) }
        if (plan.rehearsesProfiles(planned) && trial.now.noProfile == null && !stack.sells) slice()?.let(::rehearse)
        return WarmUpRunner(context, measuring, jvm, compiler, planned, situations, budget)
    }

    private fun rehearse(profiles: ProfileSlice) {
        val family = FamilyProbe(target::family)
        val startNanos = System.nanoTime()
        val before = family.read()
        profiles.rehearse(situations.first())
        val after = family.read()
        if (before == null || after == null) return
        val left = Rehearsal(
            rssBytes = maxOf(0, after.rssBytes - before.rssBytes),
            threads = maxOf(0, after.threads - before.threads),
            tookMillis = (System.nanoTime() - startNanos) / 1e6,
        )
        trial.change { copy(rehearsal = left) }
    }

    /** The JVM of the target. Records why causes cannot be looked for, if that was wanted. */
    private fun attached(): JvmProbe? {
        fun refused(why: NoProfile) = trial.change { copy(noProfile = why.takeIf { plan.hasProfiles(planned) }) }
        val pid = target.pid ?: return null.also { refused(NoProfile(NoProfileReason.NO_PROCESS)) }
        if (stack.container?.port != null) return null.also { refused(NoProfile(NoProfileReason.NETWORK_OF_ITS_OWN)) }
        val probe = JvmProbe.attach(pid, ::refused)
        val java = probe?.version
        if (java != null && java < JvmProbe.OLDEST_JAVA) refused(NoProfile(NoProfileReason.TOO_OLD, "$java"))
        return probe
    }

    /** Records the outcome of the warm-up. */
    fun warmedUp(result: WarmUp) = trial.change { copy(warmUp = result) }

    /** Measures every situation as a whole, or searches for the knee. */
    fun measure() = plan.knee?.let { search(it).run { while (step()) Unit } } ?: situations.forEach { situation ->
        context.cancellation.check()
        val what = MeasuredPart(planned.number, situation.name, stack = planned.stack, isRepeatable = !stack.sells)
        val sample = context.undisturbed(what) {
            val putOff = measuring.awaitQuiescence(planned, situation)
            measuring.measure(planned, situation).copy(putOffMillis = putOff)
        }
        surrounding.services.death()?.let { throw it }
        trial.change { copy(samples = samples + sample) }
        context.tell(RunEvent.Measured(planned, sample))
    }

    /**
     * Replaces [measure]: a search that the caller runs step by step. [left] is the most time that the searches of the
     * whole block still take; null if this is the only one.
     */
    fun search(question: KneeQuestion, left: (() -> Duration)? = null): KneeSearchRun {
        val record = context.writer.record
        val before = kneesOf(record, planned.stack)
        lateinit var search: KneeSearchRun
        search = KneeSearchRun(question, record.environment, before, planned, situations.single(), measuring, context) {
            trial.change { copy(probes = probes + it) }
            val judged = judgeProbe(question.slo, planned.number, it, record.environment)
            context.tell(RunEvent.Probed(planned, judged, left?.invoke() ?: search.left, plan.stacks.size))
        }
        return search
    }

    /** [situation], as this stack is asked for it. */
    fun situationFor(situation: Situation): Situation =
        stack.situationFor(situation, surrounding.services.variables)

    /** Replaces [measure]: records the slices so far and the samples made of them. */
    fun keep(samples: List<Sample>, slices: List<Slice>) = trial.change { copy(samples = samples, slices = slices) }

    /**
     * The load for a profile in the situation [name], made of what was measured. Null where none is to be made: without
     * an attached JVM, for a sale, after a profile that failed, and where [profileLoad] has none.
     */
    fun profileLoad(name: String): ProfileLoad? {
        if (jvm == null || trial.now.noProfile != null || stack.sells) return null
        if (trial.now.profiles.any { it.windowMillis == 0.0 }) return null
        val sample = trial.now.samples.firstOrNull { it.situation == name } ?: return null
        return profileLoad(
            load = situations.first { it.name == name }.load,
            measuredNanos = (sample.windowMillis * 1e6).toLong(),
            latencyNanos = (sample.latency.meanMicros * 1e3).toLong(),
            isFirst = trial.now.profiles.isEmpty(),
        )
    }

    /** Observes the process closely under [load], which is like that of the situation [name], and records that. */
    fun profile(name: String, load: ProfileLoad) {
        val profile = checkNotNull(slice()).profile(situations.first { it.name == name }, load)
        surrounding.services.death()?.let { throw it }
        trial.change { copy(profiles = profiles + profile) }
    }

    /** Null without an attached JVM. */
    private fun slice(): ProfileSlice? = jvm?.let {
        val free = compiler.takeIf { plan.experiment.warmUp.compilerOnAllCores }
        ProfileSlice(context, measuring, planned, target, it, free, isOurs = stack.url == null)
    }

    /** Records what is known only at the end. */
    fun record() {
        val facts = if (stack.isShipped) emptyMap() else factsOf(target, jvm)
        val firstCollection = watch.firstCollection(context.folder.logOf(planned))
        trial.change { copy(state = TrialState.MEASURED, facts = facts, firstCollectionBytes = firstCollection) }
    }

    /** Detaches from the JVM. The [target] is stopped by its owner. */
    override fun close() {
        jvm?.close()
    }

    /**
     * The port of an earlier start, if the service ignored the ports it was assigned and may have a fixed one. Null
     * otherwise.
     */
    private fun likelyPort(): Int? {
        val ports = context.writer.record.trials.lastOrNull { it.stack == stack.name && it.ports.isNotEmpty() }?.ports
        val correct = ports.orEmpty().filter { it.fault == null }
        return if (correct.any(SeenPort::isAssigned)) null else correct.minOfOrNull { it.port }
    }

    private fun startOf(stack: Stack): TargetStart {
        val log = context.folder.logOf(planned)
        fun variables() = surrounding.training.variablesOf(stack)
        return when {
            stack.url != null -> RunningStart(stack, situations.first(), context.cancellation)
            stack.sells -> SaleStart(stack, variables(), context, log)
            stack.keepsContract -> ContractStart(stack, situations, variables(), context.cores.target, log)
            else -> {
                val passed = surrounding.services.passedTo(stack)
                ServiceStart(passed, situations.first(), context.cores.target, log, likelyPort())
            }
        }
    }
}
