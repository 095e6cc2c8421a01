package threadgauge.run.measure

import java.io.IOException
import java.util.Random
import threadgauge.model.Situation
import threadgauge.model.failure.Failed
import threadgauge.model.failure.Failure
import threadgauge.model.plan.PlannedTrial
import threadgauge.model.profile.Profile
import threadgauge.plan.ProfileLoad
import threadgauge.probe.JvmProbe
import threadgauge.probe.profile.Observed
import threadgauge.probe.profile.ProfileRecorder
import threadgauge.run.RunContext
import threadgauge.run.RunEvent
import threadgauge.target.CompilerThreads
import threadgauge.target.Target
import threadgauge.target.TargetFailed
import threadgauge.target.outgoingConnections

/**
 * Observes one process closely during loads of its own, after all that is measured. A target that fails meanwhile has a
 * profile that says so; its measurements stand. In the lead-in its [compiler] may run on every core, as in a warm-up;
 * null where it may not. [isOurs] if the process was started for this run. Belongs to the run's thread.
 */
internal class ProfileSlice(
    private val context: RunContext,
    private val measuring: LoadMeasurement,
    private val planned: PlannedTrial,
    private val target: Target,
    private val jvm: JvmProbe,
    private val compiler: CompilerThreads?,
    private val isOurs: Boolean,
) {
    /**
     * The profile of a load like that of [situation]. Throws what ends the run: a load agent or a service that failed,
     * or the end of the run by the user.
     */
    fun profile(situation: Situation, asked: ProfileLoad): Profile {
        val startNanos = System.nanoTime()
        context.tell(RunEvent.Profiling(planned, situation.name))
        val recorder = recorder(situation) { compiler?.bringHome() }
        val observed = context.cancellation.using(recorder) { observe(it, situation, asked, startNanos) }
        val file = observed.flames?.let { context.folder.flames.write(planned, situation.name, it) }
        return observed.profile.copy(tookMillis = (System.nanoTime() - startNanos) / 1e6, flames = file)
    }

    /**
     * Does everything that a profile does, once, without a load and for no result. To be called before the warm-up:
     * what the first recording changes and loads in a JVM is then compiled with everything else, and not during the
     * first profile. A target that fails meanwhile fails in the warm-up as well, and is told there.
     */
    fun rehearse(situation: Situation) {
        val recorder = recorder(situation) {}
        context.cancellation.using(recorder) {
            it.begin(maxSeconds = SPARE_SECONDS.toLong())
            it.watch(System.nanoTime() + REHEARSAL_NANOS, REHEARSAL_NANOS)
            it.discard()
        }
    }

    private fun recorder(situation: Situation, beforeWindow: () -> Unit): ProfileRecorder {
        val random = Random(context.plan.seed * SEED_FACTOR + situation.name.hashCode())
        val service = target.endpoints.first().http.takeIf { situation.connections.tls == null }
        return ProfileRecorder(
            jvm, target::family, isOurs, context.folder.profiling, random, service,
            outgoing = { outgoingConnections(target.family()) }, beforeWindow,
        )
    }

    private fun observe(
        recorder: ProfileRecorder,
        situation: Situation,
        asked: ProfileLoad,
        startNanos: Long,
    ): Observed = try {
        measuring.awaitQuiescence(planned, situation)
        compiler?.free()
        recorder.begin(maxSeconds = (asked.wholeNanos + context.patience.drainNanos) / 1_000_000_000 + SPARE_SECONDS)
        val load = measuring.observed(situation.copy(load = asked.load), asked.leadInNanos, recorder::watch)
        recorder.end(profileOf(situation, load, startNanos))
    } catch (failure: TargetFailed) {
        context.cancellation.check()
        recorder.fail(profileOf(situation, null, startNanos), "${whyOf(failure)}")
    } catch (failure: IOException) {
        context.cancellation.check()
        recorder.fail(profileOf(situation, null, startNanos), "$failure")
    } finally {
        compiler?.bringHome()
    }

    /** The profile of [load] before anything that was observed; null if the load failed. */
    private fun profileOf(situation: Situation, load: ObservedLoad?, startNanos: Long) = Profile(
        situation = situation.name,
        atMillis = load?.atMillis ?: context.writer.runMillis(startNanos),
        windowMillis = load?.windowMillis ?: 0.0,
        tookMillis = 0.0,
        answered = load?.answered ?: 0,
        meanMicros = load?.meanMicros ?: 0.0,
        cores = context.cores.target.size.takeIf { it > 0 } ?: Runtime.getRuntime().availableProcessors(),
    )

    /** Without the end of the log, which names what is not about the profile. */
    private fun whyOf(failed: Failed): Any = (failed.failure as? Failure.Target)?.fault ?: failed.failure

    private companion object {
        const val SEED_FACTOR = 31

        /** For the time until the recording is ended, if the machine is slow. */
        const val SPARE_SECONDS = 20

        /** Of a rehearsal: until its window, and the window. */
        const val REHEARSAL_NANOS = 500_000_000L
    }
}
