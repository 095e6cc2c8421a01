package threadgauge.experiment

import threadgauge.model.EVENT
import threadgauge.model.Experiment
import threadgauge.model.IDEMPOTENCY_KEY
import threadgauge.model.Piece
import threadgauge.model.Request
import threadgauge.model.SaleTerms
import threadgauge.model.Stack
import threadgauge.model.pieces

/** What a situation sells by [request]: `sale: {seats: 1000}`. */
internal fun Reading.sale(node: Node, request: Request): SaleTerms? {
    val fields = fields(node, "a sale", listOf("seats"), EXAMPLE) ?: return null
    val seats = fields.required("seats", "seats: 1000")?.let { wholeNumber(it, "seats", 0..MOST_SEATS) }
    val key = request.headers.entries.firstOrNull { it.key.equals(IDEMPOTENCY_KEY, ignoreCase = true) }
    when {
        request.path == NEWEST -> Unit
        !request.path.hasEvent() ->
            return nothing(node, "the request does not say which event it is for", "Write POST /events/{event}/reservations.")
        key == null -> return nothing(node, "the request has no $IDEMPOTENCY_KEY", "Give it the header $KEY_EXAMPLE.")
    }
    // Each load has an event of its own, and a key that was used for another is refused.
    if (key != null && !key.value.hasEvent()) {
        return nothing(node, "${quoted(key.value)} would be the same key in the next event", "Write $KEY_EXAMPLE.")
    }
    return seats?.let(::SaleTerms)
}

/**
 * Why [stacks] cannot be asked by the situations of [experiment], where it is because of a sale: stacks that sell do nothing else, and
 * others do not sell. Null where nothing is wrong.
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
        return wrong("${seller.name} does nothing but sell seats, and ${others.first().name} opens no sale", "Add $EXAMPLE to it.")
    }
    return null
}

private fun Request.hasEvent() = (listOfNotNull(path, body) + headers.values).any { it.hasEvent() }

private fun String.hasEvent() = pieces(this).any { it is Piece.Event }

/** The request of the published experiment, which is for the event that was opened last. */
private const val NEWEST = "/reservation"
private const val MOST_SEATS = 10_000_000
private const val EXAMPLE = "sale: {seats: 1000}"
private const val KEY_EXAMPLE = "$IDEMPOTENCY_KEY: \"{event}-{random:24}\""
