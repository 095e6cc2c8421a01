package threadgauge.experiment.load

import threadgauge.experiment.yaml.ExperimentMistake
import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.Quantity
import threadgauge.experiment.yaml.YamlNode
import threadgauge.experiment.yaml.fail
import threadgauge.experiment.yaml.fields
import threadgauge.experiment.yaml.quantity
import threadgauge.experiment.yaml.quoted
import threadgauge.experiment.yaml.wholeNumber
import threadgauge.model.Experiment
import threadgauge.model.IDEMPOTENCY_KEY
import threadgauge.model.SaleTerms
import threadgauge.model.Stack
import threadgauge.model.request.EVENT
import threadgauge.model.request.Piece
import threadgauge.model.request.Request
import threadgauge.model.request.pieces

/** The sale of a situation with [request]: `sale: {seats: 1000}`, or `sale: {seats: 1000, events: 20, hot: 50%}`. */
internal fun ParseContext.sale(node: YamlNode, request: Request): SaleTerms? {
    val fields = fields(node, "a sale", listOf("seats", "events", "hot"), EXAMPLE) ?: return null
    val before = mistakeCount
    val seats = fields.required("seats", "seats: 1000")?.let { wholeNumber(it, "seats", 0..MAX_SEATS) }
    val events = fields.optional("events")?.let { wholeNumber(it, "events", 1..MAX_EVENTS) }
    val hot = fields.optional("hot")?.let { hot(it, events, isAlone = !fields.isMeant("events")) }
    val key = request.headers.entries.firstOrNull { it.key.equals(IDEMPOTENCY_KEY, ignoreCase = true) }
    when {
        request.path == NEWEST -> if (events != null && events > 1) {
            wrong(
                fields.keyNode("events"),
                "POST $NEWEST is for the newest event alone",
                "Write POST $NAMED, or leave it out.",
            )
        }
        !request.path.hasEvent() ->
            return fail(node, "the request does not say which event it is for", "Write POST $NAMED.")
        key == null -> return fail(node, "the request has no $IDEMPOTENCY_KEY", "Give it the header $KEY_EXAMPLE.")
    }
    // Each load has events of its own, and a key that was used for another event is rejected.
    if (key != null && !key.value.hasEvent()) {
        return fail(node, "${quoted(key.value)} would be the same key in the next event", "Write $KEY_EXAMPLE.")
    }
    return seats?.takeIf { mistakeCount == before }?.let { SaleTerms(it, events ?: 1, hot) }
}

/** The share of the first of [events], at least an even share. [isAlone]: the number of events is not given. */
private fun ParseContext.hot(node: YamlNode, events: Int?, isAlone: Boolean): Double? {
    if (isAlone || events == 1) {
        return fail(node, "a hot event needs two events or more", "Add events: 20, or leave it out.")
    }
    val least = if (events == null) 1 else (ALL_PERCENT + events - 1) / events
    return quantity(node, "hot", Quantity.percent, "$least%", "$ALL_PERCENT%")
}

/**
 * Why the situations of [experiment] do not fit [stacks], because of a sale: stacks with a sale serve nothing else, and
 * others have none. Null where they fit.
 */
internal fun notSold(experiment: Experiment, stacks: List<Stack>): ExperimentMistake? {
    fun wrong(problem: String, remedy: String) = ExperimentMistake(experiment.name, 0, 0, "", problem, remedy)
    val asked = stacks.filter { it.name in experiment.stacks }
    val (selling, others) = experiment.situations.partition { it.sale != null }
    others.firstOrNull { it.request.hasEvent() }?.let {
        val remedy = "Add $EXAMPLE, or write %7B and %7D for braces in a path."
        return wrong("the request of ${it.name} names $EVENT, and nothing is sold", remedy)
    }
    val idle = asked.firstOrNull { !it.sells }
    if (selling.isNotEmpty() && idle != null) {
        val known = "Stacks that sell have names such as tickets-batch: see ./threadgauge list stacks."
        return wrong("${idle.name} sells no seats, and ${selling.first().name} asks for some", known)
    }
    val seller = asked.firstOrNull { it.sells }
    if (others.isNotEmpty() && seller != null) {
        return wrong(
            "${seller.name} does nothing but sell seats, and ${others.first().name} opens no sale",
            "Add $EXAMPLE to it.",
        )
    }
    return null
}

private fun Request.hasEvent() = (listOfNotNull(path, body) + headers.values).any { it.hasEvent() }

private fun String.hasEvent() = pieces(this).any { it is Piece.Event }

/** The request of the published experiment, which is for the latest event. */
private const val NEWEST = "/reservation"
private const val NAMED = "/events/{event}/reservations"
private const val MAX_SEATS = 10_000_000

/** Each event is opened by its own call before each load. */
private const val MAX_EVENTS = 1_000
private const val ALL_PERCENT = 100
private const val EXAMPLE = "sale: {seats: 1000}"
private const val KEY_EXAMPLE = "$IDEMPOTENCY_KEY: \"{event}-{random:24}\""
