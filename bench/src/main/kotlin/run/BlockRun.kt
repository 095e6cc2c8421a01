package threadgauge.run

import java.io.IOException
import java.net.SocketTimeoutException
import java.util.concurrent.CopyOnWriteArrayList
import threadgauge.model.Stack
import threadgauge.model.Trial
import threadgauge.model.TrialState
import threadgauge.model.failure.Failed
import threadgauge.model.failure.Failure
import threadgauge.model.failure.TargetFault
import threadgauge.model.plan.KneeQuestion
import threadgauge.model.plan.MapQuestion
import threadgauge.model.plan.PlannedTrial
import threadgauge.model.plan.RoundsRule
import threadgauge.model.plan.TurnsReason
import threadgauge.plan.RoundOrder
import threadgauge.probe.FamilyProbe
import threadgauge.probe.JvmProbe
import threadgauge.run.measure.KneeTurns
import threadgauge.run.measure.MapRun
import threadgauge.run.measure.ProfilesRun
import threadgauge.run.measure.RoundsRun
import threadgauge.run.measure.WarmUpBudget
import threadgauge.run.measure.WarmUpRunner
import threadgauge.store.RecordNotWritten
import threadgauge.target.OwnService
import threadgauge.target.Target
import threadgauge.target.TargetFailed

/**
 * Trials that are measured together: their processes are alive at the same time, but only one at a time is started or
 * loaded. If a server fails, only its trial ends: its process is stopped, and the others go on.
 *
 * Its steps are called once each, in the order of this file, on the run's thread. [close] stops all processes and may
 * be called from any thread.
 */
internal class BlockRun(
    private val context: RunContext,
    private val surrounding: Surrounding,
    block: PlannedBlock,
) : AutoCloseable {
    private val plan = context.plan
    private val planned = block.trials
    private val asked = block.step
    private val startedNanos = System.nanoTime()
    private val members = CopyOnWriteArrayList<Member>()
    private val warmUps = LinkedHashMap<Member, WarmUpRunner>()

    /**
     * Starts one after the other and waits for the first correct answer of each. Clocks of other machines are compared
     * anew, because they drift in a long run.
     */
    fun launch() {
        surrounding.agents.compareClocks()
        planned.forEach(::launch)
    }

    private fun launch(trial: PlannedTrial) {
        context.cancellation.check()
        checkRoom()
        val stack = plan.stacks.first { it.name == trial.stack }
        if (context.wasNeverReady(stack, trial)) {
            context.tell(RunEvent.TrialFailed(trial, Failure.Target(TargetFault.NeverReady)))
        } else {
            context.tell(RunEvent.TrialStarted(trial))
            start(trial, stack)
        }
    }

    /** Ends the trials of servers that do not do what they should. */
    fun verify() = each { it.verify() }

    /**
     * Warms up all in rotation: while one is loaded, the compilers of the others catch up. Each stops when it is
     * steady, and leaves its remaining time to the others. At the end each gets a cycle under the conditions of
     * measuring.
     */
    fun warmUp() {
        val budget = WarmUpBudget(plan.experiment.warmUp.budgetNanos * maxOf(1, members.size))
        members.forEach { member ->
            attempt(member) {
                warmUps[member] = member.run.warmUp(budget).also { budget.keep(it.settlingNanos) }
            }
        }
        while (true) {
            val left = members.filter { warmUps.getValue(it).goesOn }
            if (left.isEmpty()) break
            left.forEach { member ->
                attempt(member) {
                    val runner = warmUps.getValue(member)
                    runner.cycle()
                    if (left.size == 1) runner.pause()
                    runner.judge()
                }
            }
        }
        members.forEach { member ->
            attempt(member) {
                val runner = warmUps.getValue(member).also { it.settle() }
                member.run.warmedUp(checkNotNull(runner.result))
            }
        }
    }

    /** Measures in rounds, or searches for knees in turn, if there are several processes to compare; else one alone. */
    fun measure() {
        if (!plan.isSideBySide || planned.size == 1) return each { it.measure() }
        val before = members.associateWith { it.memoryBytes() }
        val check = { checkRoom(before) }
        val map = plan.map
        when {
            map != null -> explore(map, check)
            plan.knee != null -> searchInTurn(plan.knee, check)
            plan.rounds != null -> measureInRounds(plan.rounds, check)
        }
    }

    private fun explore(question: MapQuestion, check: () -> Unit) {
        val participants = members.map { member ->
            MapRun.Participant(member.run, isIn = { member in members }) { attempt(member, it) }
        }
        MapRun(context, surrounding, question, planned.first().number, startedNanos + question.budgetNanos)
            .run(participants, check)
    }

    private fun measureInRounds(rule: RoundsRule, check: () -> Unit) {
        val participants = members.map { member ->
            val typical = warmUps.getValue(member)::typicalNanos
            RoundsRun.Participant(member.run, typical, isIn = { member in members }) { attempt(member, it) }
        }
        RoundsRun(context, surrounding, rule, planned.first().number, asked).run(participants, check)
    }

    private fun searchInTurn(question: KneeQuestion, check: () -> Unit) {
        val turns = KneeTurns(RoundOrder(plan.seed, planned.first().number))
        members.forEach { member ->
            val search = member.run.search(question) { turns.left }
            turns.add(KneeTurns.Participant(search, isIn = { member in members }) { attempt(member, it) })
        }
        turns.run(check)
    }

    /** Observes all closely, under loads of their own. */
    fun profile() {
        val participants = members.map { member -> ProfilesRun.Participant(member.run) { attempt(member, it) } }
        ProfilesRun(context).run(participants)
    }

    /** Records what is known only at the end of each trial. */
    fun record() = each { it.record() }

    override fun close() {
        members.map { member -> Thread.startVirtualThread { member.close() } }.forEach { it.join() }
    }

    /**
     * Throws [NoRoom] if so little memory is left that processes would slow each other down. If one of them took it
     * since [before], only that one is stopped instead.
     */
    private fun checkRoom(before: Map<Member, Long?> = emptyMap()) {
        if (members.size < 2) return
        val left = context.machine.memoryAvailableBytes ?: return
        if (left >= MIN_MEMORY_SHARE * context.machine.memoryBytes) return
        val (grown, fault) = members.mapNotNull { member -> member.growth(before[member], left)?.let { member to it } }
            .maxByOrNull { (_, fault) -> fault.toBytes - fault.fromBytes }
            ?: throw NoRoom(TurnsReason.Memory(planned.size, members.size, left))
        attempt(grown) { throw TargetFailed(fault, grown.run.target.log) }
    }

    /** Null if its memory grew by less than [MUCH_MORE] times, or is unknown. */
    private fun Member.growth(fromBytes: Long?, left: Long): TargetFault.TookTheMemory? {
        val now = memoryBytes() ?: return null
        return fromBytes?.takeIf { now > it * MUCH_MORE }?.let { TargetFault.TookTheMemory(it, now, left) }
    }

    /**
     * The whole run ends during these trials, because of [seen]. Records that in each trial, and returns the exception
     * to throw.
     */
    fun ended(seen: Exception): Exception {
        val isCancelled = context.cancellation.isCancelled
        val failure = surrounding.services.death() ?: seen
        for (member in members) {
            member.trial.change {
                if (isCancelled) copy(state = TrialState.INTERRUPTED)
                else copy(state = TrialState.FAILED, failure = (failure as? Failed ?: notProbed(failure, null)).failure)
            }
        }
        return if (isCancelled) Cancelled() else failure
    }

    private fun each(step: (TrialRun) -> Unit) = members.forEach { member -> attempt(member) { step(member.run) } }

    private fun start(planned: PlannedTrial, stack: Stack) {
        val log = context.folder.logOf(planned)
        val logName = if (stack.url == null) context.folder.path.relativize(log).toString() else ""
        val trial = OpenTrial(
            context.writer,
            Trial(planned.stack, planned.number, TrialState.RUNNING, command = stack.command, log = logName),
        )
        val member = Member(planned, stack, trial)
        members += member
        attempt(member) {
            member.started = TrialRun(context, surrounding, planned, stack, trial)
            context.cancellation.check()
            member.run.launch()
        }
    }

    /**
     * Runs [step]. Returns false if it failed because of the server, whose trial then ends. Rethrows every other
     * failure, and throws [NoRoom] if the processes of the block exclude each other.
     */
    private fun attempt(member: Member, step: () -> Unit): Boolean {
        try {
            step()
            return true
        } catch (failure: RecordNotWritten) {
            throw failure
        } catch (seen: Exception) {
            val failure = surrounding.services.death() ?: failureOf(member, seen)
            if (failure is TargetFailed) reasonForTurns(member)?.let { throw NoRoom(it) }
            if (context.cancellation.isCancelled || failure !is TargetFailed) throw failure
            member.trial.change { copy(state = TrialState.FAILED, failure = failure.failure) }
            context.tell(RunEvent.TrialFailed(member.planned, failure.failure))
        }
        members -= member
        member.close()
        return false
    }

    /**
     * A service of the user's own that does not start may need what another one holds: its port, if that ignores the
     * assigned one, or a lock. Null if no other process runs, or if the service had started already.
     */
    private fun reasonForTurns(member: Member): TurnsReason? {
        val others = members - member
        val isUp = member.stack.isShipped || member.stack.url != null || member.trial.now.boot != null
        if (isUp || others.isEmpty()) return null
        return others.firstNotNullOfOrNull { other ->
            (other.started?.target as? OwnService)?.takeIf { !it.tookItsPort }
                ?.let { TurnsReason.Port(other.planned.stack, it.port, member.planned.stack) }
        } ?: TurnsReason.Start(member.planned.stack, others.map { it.planned.stack })
    }

    /** Attributes a lost connection, or a process that cannot be started, to the server. */
    private fun failureOf(member: Member, seen: Exception): Exception {
        if (seen !is IOException) return seen
        val target = member.started?.target
        val isSilent = generateSequence<Throwable>(seen) { it.cause }.any { it is SocketTimeoutException }
        return target?.awaitDeath()
            ?: if (isSilent) TargetFailed(TargetFault.JvmSilent(JvmProbe.PATIENCE_SECONDS), target?.log)
            else notProbed(seen, target)
    }

    private class Member(val planned: PlannedTrial, val stack: Stack, val trial: OpenTrial) : AutoCloseable {
        /** Null until it is started. */
        @Volatile
        var started: TrialRun? = null
        val run: TrialRun get() = checkNotNull(started) { "${planned.stack} was not started" }

        /** Resident memory of its processes; null if it cannot be read. */
        fun memoryBytes(): Long? = started?.run { FamilyProbe(target::family).read()?.rssBytes }

        override fun close() {
            started?.run { use { target.close() } }
        }
    }
}

private fun notProbed(failure: Exception, target: Target?) =
    TargetFailed(TargetFault.NotProbed("$failure"), target?.log)

/** If less of the machine's memory is available, the kernel begins to swap out processes that are idle. */
private const val MIN_MEMORY_SHARE = 0.08

/** Heaps grow during the rounds as well: by a sixth at most, in those that were examined. */
private const val MUCH_MORE = 1.5

/**
 * A service of the user's own that gave no first answer in its first trial is not started again: it would fail in all
 * others.
 */
private fun RunContext.wasNeverReady(stack: Stack, planned: PlannedTrial): Boolean {
    if (stack.isShipped) return false
    val first = writer.record.trials.firstOrNull { it.stack == stack.name && it.number == 1 } ?: return false
    return planned.number > 1 && first.state == TrialState.FAILED && first.boot == null && first.firstAnswer == null
}
