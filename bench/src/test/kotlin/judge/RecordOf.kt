package threadgauge.judge

import threadgauge.model.AgentHealth
import threadgauge.model.ConcurrencyModel
import threadgauge.model.Cost
import threadgauge.model.Counts
import threadgauge.model.Environment
import threadgauge.model.Experiment
import threadgauge.model.HandlerThread
import threadgauge.model.Latency
import threadgauge.model.Load
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.model.RuntimeReport
import threadgauge.model.Sample
import threadgauge.model.Situation
import threadgauge.model.Stack
import threadgauge.model.Trial
import threadgauge.model.TrialState
import threadgauge.model.plan.Plan
import threadgauge.model.plan.PlannedTrial
import threadgauge.model.request.Request

/** The smallest sound record in which each stack answered so many requests per second in its trials. */
fun recordOf(
    perSecond: Map<String, List<Double>>,
    path: String = "/hello",
    users: Int = 50,
    limits: Map<String, Int> = emptyMap(),
    cpuMicros: Map<String, Double> = emptyMap(),
    edit: (Sample) -> Sample = { it },
): Record {
    val situation =
        Situation("s", "are examples", Request(path = path), Load.Users(users, WINDOW_MILLIS.toLong() * 1_000_000))
    val trials = perSecond.flatMap { (stack, rates) ->
        rates.mapIndexed { index, rate ->
            val sample = edit(sampleOf(rate, users, cpuMicros[stack] ?: 50.0))
            Trial(
                stack, index + 1, TrialState.MEASURED, command = listOf("x"), log = "logs/$stack.log",
                runtime = limits[stack]?.let { runtimeOf(stack, mapOf("/" + path.split('/')[1] to it)) },
                samples = listOf(sample),
            )
        }
    }
    val stacks =
        perSecond.keys.map { Stack(it, it.uppercase(), ConcurrencyModel.EVENT_LOOP, "as shipped", listOf("x"), ".") }
    val experiment = Experiment(
        "e", "Which?", perSecond.keys.toList(), listOf(situation), trials = perSecond.values.maxOf { it.size },
    )
    return Record(
        id = "e-1", startedAt = "2026-01-01T00:00:00Z", state = RunState.COMPLETE,
        plan = Plan(
            experiment, stacks, trials.map { PlannedTrial(it.stack, it.number, listOf("s")) }, seed = 1, quick = false,
        ),
        environment = Environment(
            "0", "cpu", 2, 1, "os", "kernel", "java", targetCores = listOf(0), agentCores = listOf(1),
        ),
        trials = trials,
    )
}

/** Keeps Little's law: mean latency is users ÷ rate. */
internal fun sampleOf(perSecond: Double, users: Int, cpuMicros: Double): Sample {
    val answered = (perSecond * WINDOW_MILLIS / 1e3).toLong()
    val micros = users / perSecond * 1e6
    val latency = Latency(answered, micros, micros, micros, micros, micros, micros, micros)
    return Sample(
        situation = "s", atMillis = 0.0, windowMillis = WINDOW_MILLIS,
        counts = Counts(answered, answered, answered, 0, 0),
        answeredInWindow = answered, latency = latency, serviceTime = latency,
        sendDelay = latency.copy(p99Micros = 1.0), hlog = "x.hlog",
        seconds = emptyList(), process = emptyList(),
        cost = Cost(WINDOW_MILLIS, cpuMicros * answered / 1e3, 0.0, 100_000_000, 20),
        agent = AgentHealth(100.0, 0, 0.0, 50.0, 0.0, 1),
    )
}

internal fun runtimeOf(stack: String, limits: Map<String, Int>) = RuntimeReport(
    stack, "f", "e", ConcurrencyModel.EVENT_LOOP, HandlerThread("t", false), "25", 1, 1, emptyList(), 1, limits,
)

private const val WINDOW_MILLIS = 5_000.0
