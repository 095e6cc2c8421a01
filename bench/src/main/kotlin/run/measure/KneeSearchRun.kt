package threadgauge.run.measure

import java.util.Locale
import kotlin.math.ceil
import kotlin.time.Duration
import kotlin.time.Duration.Companion.nanoseconds
import threadgauge.knee.KneeDurations
import threadgauge.knee.KneeSteps
import threadgauge.knee.SearchStep
import threadgauge.model.Connections
import threadgauge.model.Environment
import threadgauge.model.KneeQuestion
import threadgauge.model.Load
import threadgauge.model.PlannedTrial
import threadgauge.model.Probe
import threadgauge.model.Situation
import threadgauge.run.MeasuredPart
import threadgauge.run.RunContext
import threadgauge.run.undisturbed

/**
 * Looks for the knee of one warm process: closed loads of more and more users, then open loads at the rates that
 * [KneeSteps] asks for. What was sent is decided there, from what was seen alone; here it is only carried out. [keep]
 * gets each probe when it is done. Belongs to the run's thread.
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

    /**
     * How long the target takes for one request with nothing else to do, in microseconds; null until the first closed
     * load.
     */
    private var alone: Double? = null

    /** The time that the probes to come take at most. */
    var left: Duration = leftAfter(openLoads = 0)
        private set

    /** The next load. False where the search is over, and nothing was sent. */
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
     * By Little's law a target that keeps its goals has no more than rate × limit under way, so this many connections
     * never stand in its way; those that it will need when all is well are opened beforehand.
     */
    private fun connectionsFor(perSecond: Double): Connections {
        val limit = question.slo.latencies.maxOfOrNull { it.maxMicros } ?: USUAL_LIMIT_MICROS
        val most =
            ceil(perSecond * limit / 1e6 * SPARE_CONNECTIONS).coerceIn(1_000.0, MAX_CONNECTIONS.toDouble()).toInt()
        val needed = ceil(perSecond * (AHEAD_MICROS + 2 * (alone ?: 0.0)) / 1e6).toInt()
        return situation.connections.copy(maxUnderWay = most, ahead = needed.coerceIn(1, most))
    }

    /**
     * Waits until the target is as quick as with nothing to do: what one probe left in its queues must not count
     * against the next.
     */
    private fun recoveryMillis(): Double? {
        val startNanos = System.nanoTime()
        val quick = (alone ?: return 0.0) * AS_QUICK + SLACK_MICROS
        while (true) {
            context.cancellation.check()
            if (alone() <= quick) return (System.nanoTime() - startNanos) / 1e6
            if (System.nanoTime() - startNanos > PATIENCE_NANOS) return null
        }
    }

    private fun alone(): Double = measuring.aloneMicros(situation, ALONE_NANOS) ?: (ALONE_NANOS / 1e3)

    companion object {
        /** What the names of probes, and with them of their histograms, begin with. */
        const val PROBE = "probe-"

        private const val ALONE_NANOS = 200_000_000L
        private const val PATIENCE_NANOS = 30_000_000_000L
        private const val AS_QUICK = 2.0
        private const val SLACK_MICROS = 1_000.0
        private const val SPARE_CONNECTIONS = 1.2
        private const val MAX_CONNECTIONS = 10_000
        private const val USUAL_LIMIT_MICROS = 100_000.0
        private const val AHEAD_MICROS = 50_000.0
    }
}
