package threadgauge.experiment

import threadgauge.model.Load

/** Reads one load, such as `{users: 200, for: 60s}`; the first key says how requests arrive. */
internal fun Reading.load(node: Node): Load? {
    val fields = fields(node, "a load", SHAPES.keys.toList() + COMPANIONS, EXAMPLES) ?: return null
    val shapes = SHAPES.values.filter { it.key in fields }
    val shape = shapes.firstOrNull()
    if (shape == null) {
        if (SHAPES.keys.none(fields::isMeant)) wrong(node, "this load does not say how requests arrive", "Write $EXAMPLES")
        return null
    }
    val strangers = (SHAPES.keys + COMPANIONS).filter { it in fields && it != shape.key && it !in shape.companions }
    for (stranger in strangers) {
        wrong(fields.keyNode(stranger), "\"$stranger\" does not go with \"${shape.key}\"", "Write ${shape.example}")
    }
    return if (strangers.isEmpty()) shape.read(this, fields, shape) else null
}

/** A way in which requests arrive: its key, the keys that may stand beside it, and its reader. */
private class Shape(
    val key: String,
    val companions: Set<String>,
    val example: String,
    val read: Reading.(Fields, Shape) -> Load?,
)

private const val MOST_USERS = 100_000
private const val MOST_LOOPS = 10_000_000
private const val FASTEST = "1000000/s"
private val COMPANIONS = listOf("for", "loops", "connected")

private val SHAPES = listOf(
    Shape("users", setOf("for", "loops"), "{users: 200, for: 60s} or {users: 200, loops: 10}", Reading::users),
    Shape("rate", setOf("for"), "{rate: 2000/s, for: 60s}", Reading::rate),
    Shape("ramp", setOf("for"), "{ramp: 5/s..500/s, for: 60s}", Reading::ramp),
    Shape("burst", setOf("connected"), "{burst: 1000} or {burst: 1000, connected: no}", Reading::burst),
).associateBy { it.key }

private const val EXAMPLES =
    "{users: 50, for: 5s}, {users: 50, loops: 10}, {rate: 2000/s, for: 60s}, {ramp: 5/s..500/s, for: 60s} or {burst: 1000}"

private fun Reading.users(fields: Fields, shape: Shape): Load? {
    val users = wholeNumber(fields.optional("users")!!, "users", 1..MOST_USERS)
    if ("loops" in fields && "for" in fields) {
        wrong(fields.keyNode("loops"), "\"loops\" and \"for\" both say when to end", "Write ${shape.example}")
        return null
    }
    if ("loops" in fields) {
        val loops = wholeNumber(fields.optional("loops")!!, "loops", 1..MOST_LOOPS)
        return if (users == null || loops == null) null else Load.Loops(users, loops)
    }
    if (fields.isMeant("loops")) return null
    val nanos = length(fields, shape)
    return if (users == null || nanos == null) null else Load.Users(users, nanos)
}

private fun Reading.rate(fields: Fields, shape: Shape): Load? {
    val rate = measure(fields.optional("rate")!!, "rate", Measure.rate, "1/h", FASTEST)
    val nanos = length(fields, shape)
    return if (rate == null || nanos == null) null else Load.Rate(rate, nanos)
}

private fun Reading.ramp(fields: Fields, shape: Shape): Load? {
    val node = fields.optional("ramp")!!
    val nanos = length(fields, shape)
    val text = scalar(node, "ramp", shape.example) ?: return null
    val ends = text.split("..")
    if (ends.size != 2) return nothing(node, "${quoted(text)} is not a ramp", "Write two rates: ${shape.example}")
    val rates = ends.mapIndexed { index, end -> rampEnd(node as Scalar, if (index == 0) "ramp from" else "ramp to", end) }
    val (from, to) = rates
    if (from == null || to == null) return null
    if (from == 0.0 && to == 0.0) return nothing(node, "a ramp from 0 to 0 never sends a request", "Write ${shape.example}")
    return if (nanos == null) null else Load.Ramp(from, to, nanos)
}

private fun Reading.rampEnd(node: Scalar, what: String, end: String): Double? =
    measure(Scalar(node.place, end, node.quoted), what, Measure.rate, "0/s", FASTEST)

private fun Reading.burst(fields: Fields, shape: Shape): Load? {
    check(shape.key == "burst")
    val requests = wholeNumber(fields.optional("burst")!!, "burst", 1..MOST_USERS)
    val connected = fields.optional("connected")?.let { choice(it, "connected", YES_NO) ?: return null } ?: true
    return requests?.let { Load.Burst(it, connected) }
}

private fun Reading.length(fields: Fields, shape: Shape): Long? =
    fields.required("for", shape.example)?.let { nanos(it, "for", "1ms", "24h") }

private val YES_NO = mapOf("yes" to true, "no" to false, "true" to true, "false" to false)
