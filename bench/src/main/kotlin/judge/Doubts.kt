package threadgauge.judge

import threadgauge.model.Doubt
import threadgauge.model.Environment
import threadgauge.model.Load
import threadgauge.model.Repeat
import threadgauge.model.Sample
import threadgauge.model.Situation
import threadgauge.model.Validity
import threadgauge.model.meanNanos
import threadgauge.model.users
import java.util.Locale
import kotlin.math.abs

/** Everything known about one sample that can make it doubtful. */
internal class Evidence(val situation: Situation, val repeat: Repeat, val sample: Sample, val environment: Environment)

/** One reason to doubt a measurement: looks at the evidence and says what is wrong, or null. */
internal class DoubtRule(val name: String, private val remedy: String, private val look: (Evidence) -> Pair<Validity, String>?) {
    fun examine(evidence: Evidence): Doubt? = look(evidence)?.let { (validity, seen) -> Doubt(name, seen, remedy, validity) }
}

/** Every doubt about a single measurement, each with its threshold and where that comes from. */
internal val doubtRules = listOf(
    // Little's law (Little, Operations Research 9, 1961): in closed load users = rate × (mean latency + mean think time).
    DoubtRule("littles-law", "Look at the failures and reconnections; lengthen the window.") { e ->
        val load = e.situation.load as? Load.Users ?: return@DoubtRule null
        val users = load.users * (1 - minOf(1.0, load.rampInNanos.toDouble() / load.forNanos) / 2)
        val roundSeconds = e.sample.latency.meanMicros / 1e6 + (load.think?.meanNanos ?: 0.0) / 1e9
        val share = e.sample.counts.sent / (e.sample.windowMillis / 1e3) * roundSeconds / users
        val off = abs(share - 1)
        val seen = "rate × mean latency is ${percent(share)} of ${whole(users)} users, more than 10 % off"
        if (off > 0.10) (if (off > 0.20) Validity.INVALID else Validity.SUSPECT) to seen else null
    },
    // Beyond this share the agent's own queueing shows in the latencies.
    DoubtRule("agent-near-its-ceiling", "Use a machine with more cores, or lower the load.") { e ->
        val ceiling = e.environment.agentCeiling?.requestsPerSecond ?: return@DoubtRule null
        val share = e.sample.perSecond / ceiling
        val seen = "the agent worked at ${percent(share)} of the ${whole(ceiling)}/s it can do here (limit 50 %)"
        val validity = if (share > MOST_SHARE_OF_CEILING) Validity.INVALID else Validity.SUSPECT
        if (share > SOUND_SHARE_OF_CEILING) validity to seen else null
    },
    DoubtRule("sent-late", "Use a machine with more cores, or lower the rate.") { e ->
        val load = e.situation.load
        // A burst among steps connects when it comes, so its requests leave late on any machine.
        if (load.users != null || load is Load.Steps && load.parts.any { it is Load.Burst }) return@DoubtRule null
        val late = e.sample.sendDelay.p99Micros
        val limit = minOf(1_000.0, e.sample.latency.p50Micros / LATENCY_PER_LATENESS)
        val seen = "1 % of requests left more than ${whole(late)} µs late (limit ${whole(limit)} µs); their latency includes it"
        if (late > limit) Validity.SUSPECT to seen else null
    },
    DoubtRule("agent-collected-garbage", "Run again; tell us if it stays.") { e ->
        val share = e.sample.agent.collectionMillis / e.sample.windowMillis
        if (share > 0.01) Validity.SUSPECT to "the agent spent ${percent(share)} of the window collecting garbage (limit 1 %)" else null
    },
    DoubtRule("not-steady", "Give the warm-up a larger budget in the experiment file.") { e ->
        val warmUp = e.repeat.warmUp ?: return@DoubtRule null
        if (!warmUp.steady) Validity.SUSPECT to "the target was still getting faster or slower after ${warmUp.describe()}" else null
    },
    DoubtRule("stolen-time", "Use a machine that is not shared, or more repeats.") { e ->
        val steal = e.sample.cost.steal ?: return@DoubtRule null
        if (steal > 0.02) Validity.SUSPECT to "the hypervisor took ${percent(steal)} of the machine's time (limit 2 %)" else null
    },
    DoubtRule("failures", "Read the server's log; a fast failure is not a fast answer.") { e ->
        val share = e.sample.counts.failed.toDouble() / maxOf(1, e.sample.counts.scheduled)
        val kinds = e.kindsOfFailure()
        val validity = if (share > 0.05) Validity.INVALID else Validity.SUSPECT
        if (share > 0.001) validity to "${percent(share)} of requests failed or were never answered (limit 0.1 %): $kinds" else null
    },
    // A percentile needs about ten values beyond it before it is more than the luck of a few requests.
    DoubtRule("few-samples", "Lengthen the window.") { e ->
        val count = e.sample.latency.count
        if (count in 1..999) Validity.SUSPECT to "$count answers are too few for p99 (1,000 needed)" else null
    },
    DoubtRule("impossible-counter", "Tell us: a counter of the JVM was misread.") { e ->
        val jvm = e.sample.cost.jvm ?: return@DoubtRule null
        val most = e.sample.cost.windowMillis * maxOf(1, e.environment.cores)
        val seen = "collectors report ${whole(jvm.collectionMillis)} ms of work in a window of ${whole(e.sample.cost.windowMillis)} ms"
        if (jvm.collectionMillis > most) Validity.INVALID to seen else null
    },
)

/** Shares of the agent's ceiling: above the first its own queueing shows a little, above the second too much. */
internal const val SOUND_SHARE_OF_CEILING = 0.50
internal const val MOST_SHARE_OF_CEILING = 0.70

/** A latency this many times the lateness of the requests is off by a tenth at most. */
internal const val LATENCY_PER_LATENESS = 10.0

private fun Evidence.kindsOfFailure(): String {
    val counts = sample.counts
    val rest = listOf(counts.unfinished to "never answered", counts.unsent to "never sent").filter { it.first > 0 }
    return (counts.failures.entries.map { it.value to it.key.words } + rest).joinToString { "${it.first} × ${it.second}" }
}

private fun threadgauge.model.WarmUp.describe() = "${whole(millis / 1e3)} s of warm-up ($reason)"

internal fun percent(share: Double) = (if (share < 0.1) "%.1f %%" else "%.0f %%").format(Locale.ROOT, share * 100)

internal fun whole(value: Double) = "%,d".format(Locale.ROOT, Math.round(value))
