package threadgauge.judge.cause

import threadgauge.model.judgement.cause.PlaceTrouble
import threadgauge.model.profile.Profile

/** What makes places in the user's code hard to read, from all frames of it in [profile]. */
internal fun placeTroublesOf(profile: Profile): List<PlaceTrouble> {
    val own = profile.traces.flatMap { it.frames }.filter(LibraryCode::isOwn).distinct()
    val names = own.map { it.type.substringAfterLast('.').substringBefore('$') }.distinct()
    return buildList {
        if (own.isNotEmpty() && own.none { it.line != null }) add(PlaceTrouble.NO_LINES)
        if (names.size >= FEWEST && names.count { it.length <= SHORT } * 2 > names.size) add(PlaceTrouble.SHORT_NAMES)
    }
}

/** Classes; of fewer, names may be short by chance. */
private const val FEWEST = 3

/** Letters. */
private const val SHORT = 2
