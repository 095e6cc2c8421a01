package threadgauge.judge.cause

import threadgauge.model.Situation
import threadgauge.model.Trial
import threadgauge.model.part
import threadgauge.model.profile.NoProfile
import threadgauge.model.profile.NoProfileReason

/**
 * Why there is no cause in [situation] although the first of its [trials] was looked into, or should have been. Null
 * where there is one, and where nobody looked.
 */
internal fun noCauseOf(trials: List<Trial>, situation: Situation): NoProfile? {
    val profiles = trials.flatMap { it.profiles }
    val own = profiles.filter { it.situation == situation.name }
    return when {
        own.any { it.hasAnswers } -> null
        own.isNotEmpty() -> NoProfile(NoProfileReason.NO_ANSWERS)
        profiles.isNotEmpty() -> NoProfile(leftOut(trials, situation))
        else -> trials.firstNotNullOfOrNull { it.noProfile }
    }
}

/** Other situations were profiled. */
private fun leftOut(trials: List<Trial>, situation: Situation): NoProfileReason {
    val measured = trials.flatMap { it.samples }.firstOrNull { it.situation == situation.name }
    return when {
        situation.load.part(SHORT_NANOS, 0) == null -> NoProfileReason.UNEVEN
        (measured?.windowMillis ?: 0.0) * 1e6 < 2 * SHORT_NANOS -> NoProfileReason.TOO_SHORT
        else -> NoProfileReason.NO_TIME
    }
}

/** Half of a load is profiled, and less than this shows nothing. */
private const val SHORT_NANOS = 1_000_000_000L
