package threadgauge.judge.advice

import threadgauge.experiment.change.shippedChanges
import threadgauge.judge.cause.ProfileOf
import threadgauge.judge.judge
import threadgauge.judge.sampleOf
import threadgauge.model.Boot
import threadgauge.model.ConcurrencyModel
import threadgauge.model.Environment
import threadgauge.model.Experiment
import threadgauge.model.JvmCost
import threadgauge.model.Load
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.model.Situation
import threadgauge.model.Stack
import threadgauge.model.Trial
import threadgauge.model.TrialState
import threadgauge.model.advice.AdviceQuestion
import threadgauge.model.judgement.advice.Advice
import threadgauge.model.judgement.advice.AdvisedChange
import threadgauge.model.judgement.advice.ChangeOutcome
import threadgauge.model.plan.Plan
import threadgauge.model.plan.PlannedTrial
import threadgauge.model.plan.WarmUp
import threadgauge.model.plan.WarmUpEnd
import threadgauge.model.plan.WarmUpIteration
import threadgauge.model.request.Request

/** A record of one service under some loads, each with its profile. */
internal class MadeUp(
    private val cpuMicros: Double = 50.0,
    private val facts: Map<String, String> = emptyMap(),
    /** Answers before the load, of a process that the run started; null for one that ran already. */
    private val served: Double? = null,
    /** Time of its compilers while it was measured, in milliseconds, or null where that is not known. */
    private val compileMillis: Double? = null,
) {
    private val situations = mutableListOf<Situation>()
    private val trial = mutableListOf<(Trial) -> Trial>()

    fun under(users: Int?, perSecond: Double, made: ProfileOf, rate: Double = 1_000.0) = apply {
        val name = users?.let { "$it-users" } ?: "rate"
        val load = users?.let { Load.Users(it, SECONDS) } ?: Load.Rate(rate, SECONDS)
        situations += Situation(name, "are examples", Request(path = "/x"), load)
        val plain = sampleOf(perSecond, users ?: 10, cpuMicros).copy(situation = name)
        val jvm = compileMillis?.let { JvmCost(0, 0.0, it) }
        val sample = plain.copy(cost = plain.cost.copy(jvm = jvm))
        val profile = made.profile().copy(situation = name)
        trial += { it.copy(samples = it.samples + sample, profiles = it.profiles + profile) }
    }

    fun record(): Record {
        val stack = Stack("shop", "Shop", ConcurrencyModel.UNKNOWN, "your own", listOf("java", "-jar", "shop.jar"), ".",
            keepsContract = false)
        val names = situations.map { it.name }
        val empty = Trial("shop", 1, TrialState.MEASURED, command = stack.command, log = "x.log", facts = facts,
            boot = served?.let { Boot(1_000.0, 1_100.0) }, warmUp = served?.let(::warmUp))
        return Record(
            id = "advise-1", startedAt = "2026-01-01T00:00:00Z", state = RunState.COMPLETE,
            plan = Plan(
                Experiment("advise-shop", "What?", listOf("shop"), situations, trials = 1), listOf(stack),
                listOf(PlannedTrial("shop", 1, names)), seed = 1, quick = true,
                advice = AdviceQuestion(shippedChanges()),
            ),
            environment = Environment("0", "cpu", 2, 1, "os", "kernel", "java"),
            trials = listOf(trial.fold(empty) { one, edit -> edit(one) }),
        )
    }

    /** Two iterations of two seconds each. */
    private fun warmUp(answered: Double) = WarmUp(
        listOf(0.0, 2_000.0).mapIndexed { at, from ->
            WarmUpIteration(at + 1, situations.first().name, from, answered / 4, 0.0)
        },
        steady = true, millis = 4_000.0, end = WarmUpEnd.STEADY,
    )

    fun advice(): Advice = judge(record()).advice.single()
}

internal operator fun Advice.get(id: String): AdvisedChange = changes.single { it.change.id == id }

internal val AdvisedChange.gain: ChangeOutcome.Gain get() = outcome as ChangeOutcome.Gain
internal val AdvisedChange.nothing: ChangeOutcome.Nothing get() = outcome as ChangeOutcome.Nothing

private const val SECONDS = 5_000_000_000L
