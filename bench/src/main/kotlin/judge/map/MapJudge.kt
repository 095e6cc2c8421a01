package threadgauge.judge.map

import threadgauge.judge.ceiling.ceilings
import threadgauge.map.Bracket
import threadgauge.map.PlaceFound
import threadgauge.map.StackNumbers
import threadgauge.map.borderUsers
import threadgauge.map.brackets
import threadgauge.map.nextPlaces
import threadgauge.map.numbersOf
import threadgauge.map.observed
import threadgauge.map.placesFound
import threadgauge.map.predictedWithin
import threadgauge.model.Record
import threadgauge.model.RuntimeReport
import threadgauge.model.judgement.CeilingCause
import threadgauge.model.judgement.LimitedThing
import threadgauge.model.judgement.map.MapBorder
import threadgauge.model.judgement.map.MapJudgement
import threadgauge.model.judgement.map.MapPlace
import threadgauge.model.judgement.map.MapStack
import threadgauge.model.judgement.map.StackAtPlace
import threadgauge.model.judgement.map.StackLaw
import threadgauge.model.plan.MapQuestion
import threadgauge.model.plan.Slice
import threadgauge.model.request.madeBy
import threadgauge.stats.median

/** Judges the map of [record], whose plan must be one of a map. A pure function. */
fun judgeMap(record: Record): MapJudgement {
    val question = requireNotNull(record.plan.map) { record.id }
    return MapSheetJudge(record, question, placesFound(question, record.trials)).judgement()
}

private class MapSheetJudge(
    private val record: Record,
    private val question: MapQuestion,
    private val found: List<PlaceFound>,
) {
    private val stacks = record.plan.stacks.map { it.name }
    private val models = record.plan.stacks.associate { it.name to it.model }
    private val runtimes: Map<String, RuntimeReport?> = stacks.associateWith { stack ->
        record.trials.filter { it.stack == stack }.firstNotNullOfOrNull { it.runtime }
    }

    /** None where each column costs another time of the processor. */
    private val numbers: Map<String, StackNumbers?> =
        if (!question.sheet.costsAlike) emptyMap() else stacks.associateWith { numbersOf(question, it, found) }

    fun judgement(): MapJudgement {
        val places = found.sortedWith(compareBy({ it.at.column }, { it.at.row })).map(::place)
        return MapJudgement(
            recordId = record.id,
            state = record.state,
            question = question,
            stacks = stacks.map(::stack),
            places = places,
            borders = brackets(question, found).map { border(it, places) },
            processes = maxOf(1, record.trials.filter { it.slices.isNotEmpty() }.distinctBy { it.number }.size),
            isComplete = found.isNotEmpty() && nextPlaces(question, found).isEmpty(),
            stolenShare = mean { it.steal },
            othersShare = mean { it.otherBusyShare },
        )
    }

    private fun mean(of: (Slice) -> Double?): Double? =
        record.trials.flatMap { it.slices }.mapNotNull(of).takeIf { it.isNotEmpty() }?.average()

    private fun stack(name: String) = MapStack(
        name = name,
        title = record.plan.titles[name] ?: name,
        limit = found.firstOrNull()?.let { limitAt(name, it, perSecond = null).first },
        law = numbers[name]?.let { law(name, it) },
    )

    private fun law(name: String, numbers: StackNumbers): StackLaw {
        val seen = observed(question, name, found)
        return StackLaw(
            cpuMicros = numbers.cpuSeconds * 1e6,
            aloneMicros = numbers.aloneSeconds * 1e6,
            places = numbers.places,
            cpuNanosPerWaiting = numbers.cpuSecondsPerWaiting * 1e9,
            bytesPerWaiting = bytesPerWaiting(name),
            near = predictedWithin(seen, NEAR),
            of = seen.size,
        )
    }

    /**
     * The slope between memory with the most users and with the fewest. A heap grows with what was allocated as well,
     * so this is an upper bound.
     */
    private fun bytesPerWaiting(name: String): Double? {
        val seen = found.mapNotNull { place ->
            place.slices[name].orEmpty().mapNotNull { it.rssBytesMax }.maxOrNull()
                ?.let { question.users[place.at.row] to it }
        }
        val few = seen.filter { it.first == question.users.first() }.map { it.second.toDouble() }
        val many = seen.filter { it.first == question.users.last() }.map { it.second.toDouble() }
        if (few.isEmpty() || many.isEmpty()) return null
        val slope = (median(many) - median(few)) / (question.users.last() - question.users.first())
        return slope.takeIf { it > 0 }
    }

    private fun place(place: PlaceFound) = MapPlace(
        work = question.work[place.at.column],
        users = question.users[place.at.row],
        stacks = stacks.filter { it in place.slices }.map { at(it, place) },
    )

    private fun at(stack: String, place: PlaceFound): StackAtPlace {
        val slices = place.slices.getValue(stack)
        val perSecond = slices.map { it.perSecond }.average()
        val sent = slices.sumOf { it.counts.answered + it.counts.failed }
        val (limit, isReached) = limitAt(stack, place, perSecond)
        return StackAtPlace(
            stack = stack,
            perSecond = perSecond,
            share = place.shares.getValue(stack),
            fit = place.fits.getValue(stack),
            p50Millis = typical(slices) { it.latency.p50Micros / 1e3 },
            p99Millis = typical(slices) { it.latency.p99Micros / 1e3 },
            cpuMicrosPerRequest = slices.mapNotNull { it.cpuMicrosPerRequest }.ifEmpty { null }?.let(::median),
            memoryBytes = slices.mapNotNull { it.rssBytesMax }.maxOrNull(),
            failedShare = if (sent == 0L) 0.0 else slices.sumOf { it.counts.failed }.toDouble() / sent,
            rounds = slices.size,
            heldAt = limit.takeIf { isReached },
            predictedPerSecond = numbers[stack]?.perSecond(
                question.users[place.at.row].toDouble(), question.waitMillis(place.at.column) / 1e3,
            ),
        )
    }

    private fun typical(slices: List<Slice>, of: (Slice) -> Double) = median(slices.map(of))

    /**
     * Requests, or calls, that its settings allow at a time at [place], and whether throughput is near what follows
     * from that. Of several bounds the lowest.
     */
    private fun limitAt(stack: String, place: PlaceFound, perSecond: Double?): Pair<Int?, Boolean> {
        val situation = question.situation(place.at.column, place.at.row, LONG_NANOS)
        val asked = situation.copy(request = situation.request.madeBy(models.getValue(stack)))
        return ceilings(asked, runtimes[stack], perSecond).filter { settingOf(it.cause) != null }
            .minByOrNull { it.requestsPerSecond }
            ?.let { settingOf(it.cause) to it.reached } ?: (null to false)
    }

    /** What a setting allows at a time; null where the cause is something else, such as the users themselves. */
    private fun settingOf(cause: CeilingCause): Int? = when (cause) {
        is CeilingCause.Concurrency -> cause.count.takeIf { cause.of == LimitedThing.HANDLERS }
        is CeilingCause.Calls -> cause.count
        else -> null
    }

    private fun border(bracket: Bracket, places: List<MapPlace>): MapBorder {
        val work = question.work[bracket.column]
        val far = question.users[if (bracket.fitsFrom) bracket.to else bracket.from]
        val beyond = places.first { it.work == work && it.users == far }.stacks.first { it.stack == bracket.stack }
        val between = borderUsers(question, bracket, found)
        return MapBorder(
            stack = bracket.stack,
            work = work,
            fromUsers = Math.round(between.start).toInt(),
            toUsers = Math.round(between.endInclusive).toInt(),
            fitsBelow = bracket.fitsFrom,
            bySetting = beyond.heldAt != null,
        )
    }

    private companion object {
        /** The law is near what was measured within this share. */
        const val NEAR = 0.25

        /** So that the ceiling is that of a load without an end. */
        const val LONG_NANOS = 60_000_000_000
    }
}
