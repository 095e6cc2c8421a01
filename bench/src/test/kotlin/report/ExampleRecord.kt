package threadgauge.report

import kotlin.math.sin
import threadgauge.model.AgentCeiling
import threadgauge.model.AgentHealth
import threadgauge.model.Boot
import threadgauge.model.ConcurrencyModel
import threadgauge.model.Cost
import threadgauge.model.Counts
import threadgauge.model.Environment
import threadgauge.model.Experiment
import threadgauge.model.HandlerThread
import threadgauge.model.JvmCost
import threadgauge.model.JvmState
import threadgauge.model.Latency
import threadgauge.model.LoadSecond
import threadgauge.model.ProcessSecond
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.model.RuntimeReport
import threadgauge.model.Sample
import threadgauge.model.Trial
import threadgauge.model.TrialState
import threadgauge.model.plan.Plan
import threadgauge.model.plan.PlannedTrial
import threadgauge.model.plan.WarmUp
import threadgauge.model.plan.WarmUpIteration

/**
 * A record with **invented** figures, the same at every call: for tests and for looking at reports, never to be quoted.
 * [stacks] from 1 to 12.
 */
fun exampleRecord(stacks: Int = 4, trials: Int = 5, state: RunState = RunState.COMPLETE): Record {
    val chosen = EXAMPLE_STACKS.take(stacks)
    val experiment = Experiment(
        name = "example",
        question = "Which concurrency model fits a service that mostly waits?",
        stacks = chosen.map { it.stack.name },
        situations = EXAMPLE_SITUATIONS.map { it.situation },
        trials = trials,
    )
    val situations = experiment.situations.map { it.name }
    val planned = (1..trials).flatMap { trial ->
        chosen.indices.map { PlannedTrial(chosen[(it + trial) % chosen.size].stack.name, trial, situations) }
    }
    return Record(
        id = "2026-01-15T10-00-00-example",
        startedAt = "2026-01-15T10:00:00Z",
        endedAt = "2026-01-15T10:14:32Z".takeIf { state != RunState.RUNNING },
        state = state,
        stateReason = "Ctrl-C was pressed in trial $trials".takeIf { state == RunState.INTERRUPTED },
        plan = Plan(experiment, chosen.map { it.stack }, planned, seed = 20260115, quick = trials < 3),
        environment = EXAMPLE_ENVIRONMENT,
        trials = (1..trials).flatMap { number ->
            chosen.mapIndexed { index, stack -> exampleTrial(stack, index, number) }
        },
    )
}

private val EXAMPLE_ENVIRONMENT = Environment(
    threadgauge = "0.1.0", cpu = "Example CPU 3000 @ 2.40 GHz", cores = 4, memoryBytes = 16_000_000_000,
    operatingSystem = "Debian GNU/Linux 13", kernel = "6.12.0-example", java = "25.0.1+8-LTS (Eclipse Adoptium)",
    fileLimit = 1_048_576,
    targetCores = listOf(0, 1), agentCores = listOf(2, 3),
    settings = mapOf("net.core.somaxconn" to "4096", "governor" to "performance"),
    agentCommand = listOf("/usr/bin/java", "-Xmx256m", "-cp", "lib/*", "threadgauge.cli.MainKt", "agent"),
    agentCeiling = AgentCeiling(148_000.0, 11.8),
)

/** Within 1 of 0, different for each [seed] and the same on every machine: sines may differ in their last digits. */
internal fun wobble(seed: Int): Double = Math.round(sin(seed * 12.9898 + 4.1414) * 1e6) / 1e6

private fun exampleTrial(stack: ExampleStack, index: Int, number: Int): Trial {
    val seed = index * 31 + number * 7
    val boot = stack.bootMillis * (1 + 0.04 * wobble(seed))
    val rss = stack.threads * 400_000L + 120_000_000 + (2_000_000 * wobble(seed)).toLong()
    return Trial(
        stack = stack.stack.name, number = number, state = TrialState.MEASURED,
        command = stack.stack.command.map {
            it.replace("{java}", "/usr/bin/java").replace("{port}", "${18080 + index}")
        },
        log = "logs/${stack.stack.name}-$number.log",
        boot = Boot(boot * 0.93, boot, boot * 0.81),
        runtime = exampleRuntime(stack, seed),
        warmUp = exampleWarmUp(stack, seed),
        idle = JvmState(rss, 48_000_000, 19_000_000, 12_400, 28),
        samples = EXAMPLE_SITUATIONS.indices.map { exampleSample(stack, it, seed + it * 101, number) },
    )
}

private fun exampleRuntime(stack: ExampleStack, seed: Int) = RuntimeReport(
    stack = stack.stack.name,
    framework = if ("spring" in stack.stack.name) "Spring Boot 4.1.1" else "Ktor 3.5.2",
    engine = if (stack.settings == TOMCAT) "Tomcat" else "Netty",
    model = stack.stack.model,
    handlerThread = HandlerThread("handler-1", stack.stack.model == ConcurrencyModel.VIRTUAL_THREADS),
    java = "25.0.1+8-LTS", processors = 2, pid = 4000L + seed,
    collectors = listOf("G1 Young Generation", "G1 Old Generation"), heapMaxBytes = 512_000_000,
    concurrencyLimits = if (stack.threads > 200) mapOf("/block" to 200) else emptyMap(),
    settings = stack.settings,
)

private fun exampleWarmUp(stack: ExampleStack, seed: Int): WarmUp {
    val iterations = (0 until 7).flatMap { cycle ->
        EXAMPLE_SITUATIONS.mapIndexed { situation, it ->
            val reached = 1 - 0.72 / (1 + cycle * cycle * 0.9)
            val speed = stack.speed[situation] * (reached + 0.015 * wobble(seed + cycle * 5 + situation))
            val compiled = (900.0 + 60 * wobble(seed)) / (1 + cycle)
            WarmUpIteration(cycle, it.situation.name, cycle * 4000.0 + situation * 1000, speed, compiled)
        }
    }
    val reason = "the last three iterations differ by less than 2 %"
    return WarmUp(iterations, steady = true, reason = reason, millis = 28_000.0 + 300 * wobble(seed))
}

private fun exampleSample(stack: ExampleStack, situation: Int, seed: Int, trial: Int): Sample {
    val asked = EXAMPLE_SITUATIONS[situation]
    val speed = stack.speed[situation] * (1 + 0.018 * wobble(seed))
    val mean = asked.users / speed * 1_000_000
    val seconds = (0 until 10).map { exampleSecond(it, speed, mean, asked.users, seed) }
    val answered = seconds.sumOf { it.answered }
    val sent = answered + asked.users
    val cost = exampleCost(stack, speed, answered, seed)
    val busy = (cost.cpuUserMillis!! + cost.cpuSystemMillis!!) / cost.windowMillis
    return Sample(
        situation = asked.situation.name, atMillis = trial * 60_000.0 + situation * 12_000, windowMillis = 10_000.0,
        counts = Counts(sent, sent, answered, 0, asked.users.toLong(), connectionsOpened = asked.users.toLong()),
        answeredInWindow = answered,
        latency = exampleLatency(answered, mean),
        serviceTime = exampleLatency(answered, mean * 0.998),
        sendDelay = exampleLatency(answered, 22.0),
        hlog = "histograms/${stack.stack.name}-$trial-${asked.situation.name}.hlog",
        seconds = seconds,
        process = (0 until 10).map {
            val user = busy * 0.74 * (1 + 0.03 * wobble(seed + it))
            ProcessSecond(it + 0.5, user, busy * 0.26, cost.rssBytesMax!!, cost.threadsMax!!)
        },
        cost = cost,
        agent = AgentHealth(4100.0, 3, 8.0, 640.0, 0.0, 1),
    )
}

private fun exampleCost(stack: ExampleStack, speed: Double, answered: Long, seed: Int): Cost {
    val busy = (1 + 0.021 * wobble(seed + 3)) * (0.18 * speed / 1000).coerceAtMost(1.55)
    val memory = (stack.threads * 900_000L + 210_000_000) * (1 + 0.02 * wobble(seed + 9))
    val switches = (if (stack.threads > 200) 2.1 else 0.4) * (1 + 0.03 * wobble(seed + 2))
    return Cost(
        windowMillis = 10_000.0, cpuUserMillis = busy * 7400, cpuSystemMillis = busy * 2600,
        rssBytesMax = memory.toLong(), threadsMax = stack.threads + (1.6 * wobble(seed + 5)).toInt(),
        voluntarySwitches = (answered * switches).toLong(), involuntarySwitches = answered / 40,
        jvm = JvmCost(14, 61.0, 120.0, answered * 9000), steal = 0.002,
    )
}

private fun exampleSecond(second: Int, speed: Double, mean: Double, users: Int, seed: Int): LoadSecond {
    val answered = (speed * (1 + 0.02 * wobble(seed + second * 3))).toLong()
    val slow = mean * (1 + 0.04 * wobble(seed + second * 11))
    return LoadSecond(second, answered, answered, 0, users, slow * 0.98, slow * 1.12, slow * 1.5, slow * 2.2)
}

private fun exampleLatency(count: Long, mean: Double) =
    Latency(
        count, mean, mean * 0.7, mean * 0.98, mean * 1.12, mean * 1.5, (mean * 1.9).takeIf { count >= 10_000 },
        mean * 2.4,
    )
