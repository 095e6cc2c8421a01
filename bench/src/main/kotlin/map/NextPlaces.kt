package threadgauge.map

import threadgauge.model.MapQuestion
import threadgauge.model.MapSheet
import threadgauge.model.judgement.Fit

/**
 * The places to measure next, the most telling first: those of the search for borders, then open ones once more, those
 * with fewest rounds first. Empty once borders are found and nothing is open that more rounds could tell.
 */
fun nextPlaces(question: MapQuestion, found: List<PlaceFound>): List<Place> {
    val search = BorderSearch(MapGrid(question), LawBorders(question, found))
    val open = found.filter { it.rounds < MAX_ROUNDS && it.fits.values.any { fit -> fit == Fit.OPEN } }
        .sortedBy { it.rounds }.map { it.at }
    return search.next(found.map { Found(it.at, it.fits) }).ifEmpty { open }
}

/** All borders that were [found]. */
fun brackets(question: MapQuestion, found: List<PlaceFound>): List<Bracket> =
    BorderSearch(MapGrid(question)).brackets(found.map { Found(it.at, it.fits) })

/** The numbers of [stack], as far as what was [found] tells; null where too little was. */
fun numbersOf(question: MapQuestion, stack: String, found: List<PlaceFound>): StackNumbers? =
    numbersOf(observed(question, stack, found))

/** What was seen of [stack] at each place where it answered. */
fun observed(question: MapQuestion, stack: String, found: List<PlaceFound>): List<Observed> =
    found.mapNotNull { place ->
        val slices = place.slices[stack].orEmpty().filter { it.answeredInWindow > 0 }
        if (slices.isEmpty()) return@mapNotNull null
        val users = question.users[place.at.row].toDouble()
        val perSecond = slices.map { it.perSecond }.average()
        Observed(
            users = users,
            waitSeconds = question.waitMillis(place.at.column) / 1e3,
            perSecond = perSecond,
            // The median of two kinds of requests is that of one kind; the mean is by Little's law.
            latencySeconds = if (question.sheet == MapSheet.SHARE) users / perSecond
            else slices.map { it.latency.p50Micros }.average() / 1e6,
            cores = slices.mapNotNull { it.cpuMillis }.takeIf { it.size == slices.size }
                ?.let { used -> used.sum() / slices.sumOf { it.windowMillis } },
        )
    }

/** An interval of so many rounds is as narrow as processes that differ allow. */
private const val MAX_ROUNDS = 12
