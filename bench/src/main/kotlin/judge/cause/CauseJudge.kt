package threadgauge.judge.cause

import threadgauge.model.Situation
import threadgauge.model.Trial
import threadgauge.model.judgement.cause.Because
import threadgauge.model.profile.Profile

/**
 * Why a stack is as fast as it is in [situation], from the first of its [trials] with a profile of it. [isServed]: it
 * answers requests of an open load at the rate at which they arrive. Null without a profile, and without answers in it.
 */
internal fun becauseOf(trials: List<Trial>, situation: Situation, isServed: Boolean): Because? =
    trials.firstNotNullOfOrNull { trial ->
        trial.profiles.firstOrNull { it.situation == situation.name && it.hasAnswers }
            ?.let { becauseOf(it, trial, situation, isServed) }
    }

private fun becauseOf(profile: Profile, trial: Trial, situation: Situation, isServed: Boolean): Because {
    val view = ProfileView(profile, measuredShare(profile, trial))
    val split = splitOf(view, situation.connections.delayNanos / 1e3)
    val allCpuMillis = profile.threads.sumOf { it.cpuMillis }
    return Because(
        trial = trial.number,
        holder = holderOf(view, split, situation.load, isServed),
        split = split.parts,
        meanMicros = profile.meanMicros,
        inFlight = view.inFlight,
        overlap = split.overlap,
        roles = view.groups.map { it.described(allCpuMillis) },
        costShare = costShare(profile, trial),
        gaps = profile.gaps,
        places = placeTroublesOf(profile),
    )
}

internal val Profile.hasAnswers get() = answered > 0 && meanMicros > 0 && windowMillis > 0 && cores > 0

/** Null where the trial has no measured throughput. */
private fun costShare(profile: Profile, trial: Trial): Double? {
    val measured = measured(profile, trial)?.perSecond?.takeIf { it > 0 } ?: return null
    return 1 - profile.answered / (profile.windowMillis / 1e3) / measured
}

/** Busy share of the cores in the measurement of the same situation. */
private fun measuredShare(profile: Profile, trial: Trial): Double? {
    val cost = measured(profile, trial)?.cost ?: return null
    return cost.cpuMillis?.takeIf { cost.windowMillis > 0 }?.let { it / (cost.windowMillis * profile.cores) }
}

private fun measured(profile: Profile, trial: Trial) = trial.samples.find { it.situation == profile.situation }
