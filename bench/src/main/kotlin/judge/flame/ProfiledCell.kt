package threadgauge.judge.flame

import threadgauge.judge.cause.hasAnswers
import threadgauge.model.Record
import threadgauge.model.judgement.cause.FlameLookup
import threadgauge.model.profile.Flames
import threadgauge.model.profile.Profile

/** The profile of a stack in a situation, with its call trees where there are any. */
internal class ProfiledCell(val profile: Profile, flames: Flames?) {
    val folded: List<FoldedStacks> = foldedStacks(profile, flames)
}

/** The one by which causes are found: the first of [stack] with answers. Null without any. */
internal fun profiledCell(record: Record, stack: String, situation: String, lookup: FlameLookup): ProfiledCell? =
    record.trials.filter { it.stack == stack }.firstNotNullOfOrNull { trial ->
        trial.profiles.firstOrNull { it.situation == situation && it.hasAnswers }
    }?.let { profile -> ProfiledCell(profile, profile.flames?.let { lookup.of(record, it) }) }
