package threadgauge.run.measure

import java.util.Locale
import kotlin.math.ceil
import kotlin.time.Duration
import kotlin.time.Duration.Companion.nanoseconds
import threadgauge.knee.KneeDurations
import threadgauge.knee.KneeSteps
import threadgauge.knee.SearchStep
import threadgauge.model.Environment
import threadgauge.model.Load
import threadgauge.model.Situation
import threadgauge.model.plan.KneeQuestion
import threadgauge.model.plan.PlannedTrial
import threadgauge.model.plan.Probe
import threadgauge.model.request.Connections
import threadgauge.run.MeasuredPart
import threadgauge.run.RunContext
import threadgauge.run.undisturbed

/**
 * Searches the knee of one warm process: closed loads with more and more users, then open loads at the rates that
 * [KneeSteps] chooses from the results so far. This class only carries them out. [keep] gets each probe when it is
 * over. Belongs to the run's thread.
 */
internal class KneeSearchRun(
    private val question: KneeQuestion,
    environment: Environment,
    before: List<Double>,
    private val planned: PlannedTrial,
    private val situation: Situation,
    private val measuring: LoadMeasurement,
    private val context: RunContext,
    private val keep: (Probe) -> Unit,
) {
    private val steps = KneeSteps(question, environment, before)
    private val probes = ArrayList<Probe>()

    /** Service time of a single request on the idle target, in microseconds; null before the first closed load. */
    private var alone: Double? = null

    /** The most time that the remaining probes take. */
    var left: Duration = leftAfter(openLoads = 0)
        private set

    /** Runs the next load. Returns false, and sends nothing, if the search is over. Throws `TargetFailed`. */
    fun step(): Boolean {
        if (alone == null) alone = alone()
        val users = if (probes.any { it.load is Load.Open }) null else steps.users(probes)
        val step = if (users == null) steps.rate(probes) as? SearchStep.Try else null
        when {
            users != null -> probe(Load.Users(users, KneeDurations.closedNanos(alone ?: 0.0)), situation.connections)
            step != null -> {
                val nanos = KneeDurations.openNanos(question, step, alone ?: 0.0)
                val seed = planned.number * 1_000L + probes.size
                probe(Load.Poisson(step.perSecond, nanos, seed), connectionsFor(step.perSecond))
            }
            else -> left = Duration.ZERO
        }
        return users != null || step != null
    }

    private fun probe(load: Load, connections: Connections) {
        context.cancellation.check()
        val name = PROBE + "%02d".format(Locale.ROOT, probes.size + 1)
        val asked = situation.copy(name = name, load = load, connections = connections)
        val sample = context.undisturbed(MeasuredPart(planned.number, name, stack = planned.stack)) {
            measuring.measure(planned, asked)
        }
        val probe = Probe(load, sample, connections, recoveryMillis())
        probes += probe
        left = leftAfter(probes.count { it.load is Load.Open })
        keep(probe)
    }

    private fun leftAfter(openLoads: Int) =
        (KneeDurations.probeNanos(question) * (question.maxProbes - openLoads)).nanoseconds

    /**
     * By Little's law, a target that keeps its goals has at most rate × latency limit requests in flight, so this many
     * connections, and a fifth more, never limit it. As many as a healthy target needs are opened before the load.
     */
    private fun connectionsFor(perSecond: Double): Connections {
        val limit = question.slo.latencies.maxOfOrNull { it.maxMicros } ?: USUAL_LIMIT_MICROS
        val most =
            ceil(perSecond * limit / 1e6 * SPARE_CONNECTIONS).coerceIn(1_000.0, MAX_CONNECTIONS.toDouble()).toInt()
        val needed = ceil(perSecond * (AHEAD_MICROS + 2 * (alone ?: 0.0)) / 1e6).toInt()
        return situation.connections.copy(maxUnderWay = most, ahead = needed.coerceIn(1, most))
    }

    /**
     * Waits until the target answers as quickly as when idle, so that the queues of one probe do not count against the
     * next. Milliseconds; null if it has not recovered within [PATIENCE_NANOS].
     */
    private fun recoveryMillis(): Double? {
        val startNanos = System.nanoTime()
        val quick = (alone ?: return 0.0) * AS_QUICK + SLACK_MICROS
        while (true) {
            context.cancellation.check()
            if ((alone() ?: Double.MAX_VALUE) <= quick) return (System.nanoTime() - startNanos) / 1e6
            if (System.nanoTime() - startNanos > PATIENCE_NANOS) return null
        }
    }

    /** In microseconds; null if no answer came. */
    private fun alone(): Double? = measuring.aloneMicros(situation, ALONE_NANOS)

    companion object {
        /** Prefix of the names of probes and of their histograms. */
        const val PROBE = "probe-"

        private const val ALONE_NANOS = 200_000_000L
        private const val PATIENCE_NANOS = 30_000_000_000L

        /** A target has recovered if it takes at most this many times its idle service time, and [SLACK_MICROS]. */
        private const val AS_QUICK = 2.0
        private const val SLACK_MICROS = 1_000.0
        private const val SPARE_CONNECTIONS = 1.2
        private const val MAX_CONNECTIONS = 10_000

        /** Takes the place of the latency limit where no goal names one. */
        private const val USUAL_LIMIT_MICROS = 100_000.0

        /** Connections for what arrives in this time, and in two service times, are opened before the load. */
        private const val AHEAD_MICROS = 50_000.0
    }
}
