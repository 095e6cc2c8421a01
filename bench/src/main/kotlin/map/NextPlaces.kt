package threadgauge.map

import threadgauge.model.judgement.map.Fit
import threadgauge.model.judgement.map.MapBorder
import threadgauge.model.judgement.map.MapPlace
import threadgauge.model.plan.MapQuestion
import threadgauge.model.plan.MapSheet

/**
 * The places to measure next, the most telling first: those of the search for borders that are not known well; then
 * open ones once more that keep such a border from being known, the widest border first; then those of new columns;
 * then all that is open, with fewest rounds first. Empty once borders are found and nothing is open that more rounds
 * could tell.
 */
fun nextPlaces(question: MapQuestion, found: List<PlaceFound>): List<Place> {
    val search = BorderSearch(MapGrid(question), LawBorders(question, found))
    val fits = found.map { Found(it.at, it.fits) }
    val factors = search.brackets(fits).associateWith { borderFactor(question, it, found) }
    val wide = factors.filterValues { it > MapBorder.WELL_KNOWN }
    return search.next(fits) { it in wide }.ifEmpty { looseEnds(found, wide) }
        .ifEmpty { search.between(fits) }
        .ifEmpty { found.filter { it.isOpen }.sortedBy { it.rounds }.map { it.at } }
}

/** By how much users differ at each of the [wide] borders. */
private fun looseEnds(found: List<PlaceFound>, wide: Map<Bracket, Double>): List<Place> = wide.entries
    .sortedByDescending { (_, factor) -> factor }
    .flatMap { (bracket, _) ->
        found.filter { it.at.column == bracket.column && it.at.row in bracket.from..bracket.to }
            .filter { it.isOpen && it.fits[bracket.stack] == Fit.OPEN }.map { it.at }
    }.distinct()

/** More rounds could tell what is open here. */
private val PlaceFound.isOpen get() = rounds < MAX_ROUNDS && fits.values.any { it == Fit.OPEN }

/** All borders that were [found], but for those of columns that were only begun when time was up. */
fun brackets(question: MapQuestion, found: List<PlaceFound>): List<Bracket> {
    val ends = setOf(0, question.users.lastIndex)
    val whole = found.filter { it.rounds >= MapPlace.WHOLE_ROUNDS }.groupBy({ it.at.column }, { it.at.row })
        .filterValues { it.containsAll(ends) }.keys
    return BorderSearch(MapGrid(question)).brackets(found.map { Found(it.at, it.fits) }).filter { it.column in whole }
}

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
