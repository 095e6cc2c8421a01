package threadgauge.experiment.load

import threadgauge.experiment.yaml.Fields
import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.Quantity
import threadgauge.experiment.yaml.YamlMap
import threadgauge.experiment.yaml.YamlNode
import threadgauge.experiment.yaml.YamlScalar
import threadgauge.experiment.yaml.fail
import threadgauge.experiment.yaml.members
import threadgauge.experiment.yaml.nanos
import threadgauge.experiment.yaml.quantity
import threadgauge.experiment.yaml.quoted
import threadgauge.experiment.yaml.scalar
import threadgauge.experiment.yaml.wholeNumber
import threadgauge.experiment.yaml.yesOrNo
import threadgauge.model.Load
import threadgauge.model.Think
import threadgauge.model.lengthNanos

internal fun ParseContext.users(fields: Fields, shape: LoadForm): Load? {
    val users = wholeNumber(fields.optional("users")!!, "users", 1..MAX_USERS)
    val think = fields.optional("think")?.let { think(it) }
    val rampIn = fields.optional("ramp-in")?.let { nanos(it, "ramp-in", "0s", MAX_LENGTH) }
    val isWrong = "think" in fields && think == null || "ramp-in" in fields && rampIn == null
    if ("loops" in fields && "for" in fields) {
        wrong(fields.keyNode("loops"), "\"loops\" and \"for\" both say when to end", "Write ${shape.example}")
        return null
    }
    if ("loops" in fields) {
        val loops = wholeNumber(fields.optional("loops")!!, "loops", 1..MAX_LOOPS)
        return if (users == null || loops == null || isWrong) null else Load.Loops(users, loops, think, rampIn ?: 0)
    }
    if (fields.isMeant("loops")) return null
    val nanos = length(fields, shape)
    if (nanos != null && rampIn != null && rampIn > nanos) {
        wrong(
            fields.optional("ramp-in")!!,
            "\"ramp-in\" is longer than \"for\"",
            "The last users would come when all is over.",
        )
        return null
    }
    return if (users == null || nanos == null || isWrong) null else Load.Users(users, nanos, think, rampIn ?: 0)
}

/** `1s`, or `1s..3s` for a uniform distribution between the two. */
internal fun ParseContext.think(node: YamlNode): Think? {
    val text = scalar(node, "think", THINK_EXAMPLE) ?: return null
    val ends = text.split("..")
    if (ends.size > 2) return fail(node, "${quoted(text)} is not a time to think", "Write $THINK_EXAMPLE.")
    val nanos = ends.mapIndexed { index, end ->
        val what = if (ends.size == 1) "think" else if (index == 0) "think from" else "think to"
        nanos(YamlScalar(node.place, end, quoted = true), what, "0s", "1h")
    }
    val least = nanos.first() ?: return null
    val most = nanos.last() ?: return null
    if (most == 0L) return fail(node, "a think time of 0 is no think time", "Leave \"think\" out.")
    if (least > most) return fail(node, "think: ${quoted(text)} ends before it begins", "Write ${ends[1]}..${ends[0]}.")
    return Think(least, most)
}

internal fun ParseContext.rate(fields: Fields, shape: LoadForm): Load? {
    val rate = perSecond(fields, shape)
    val nanos = length(fields, shape)
    return if (rate == null || nanos == null) null else Load.Rate(rate, nanos)
}

internal fun ParseContext.poisson(fields: Fields, shape: LoadForm): Load? {
    val rate = perSecond(fields, shape)
    val nanos = length(fields, shape)
    val seed = fields.optional("seed")?.let { wholeNumber(it, "seed", 0..Int.MAX_VALUE) ?: return null }
    if (rate == null || nanos == null) return null
    return Load.Poisson(rate, nanos).let { if (seed == null) it else it.copy(seed = seed.toLong()) }
}

internal fun ParseContext.ramp(fields: Fields, shape: LoadForm): Load? {
    val node = fields.optional("ramp")!!
    val nanos = length(fields, shape)
    val text = scalar(node, "ramp", shape.example) ?: return null
    val ends = text.split("..")
    if (ends.size != 2) return fail(node, "${quoted(text)} is not a ramp", "Write two rates: ${shape.example}")
    val rates =
        ends.mapIndexed { index, end -> rampEnd(node as YamlScalar, if (index == 0) "ramp from" else "ramp to", end) }
    val (from, to) = rates
    if (from == null || to == null) return null
    if (from == 0.0 && to == 0.0) {
        return fail(node, "a ramp from 0 to 0 never sends a request", "Write ${shape.example}")
    }
    return if (nanos == null) null else Load.Ramp(from, to, nanos)
}

private fun ParseContext.rampEnd(node: YamlScalar, what: String, end: String): Double? =
    quantity(YamlScalar(node.place, end, node.quoted), what, Quantity.rate, "0/s", FASTEST)

internal fun ParseContext.burst(fields: Fields, shape: LoadForm): Load? {
    check(shape.key == "burst")
    val requests = wholeNumber(fields.optional("burst")!!, "burst", 1..MAX_USERS)
    val connected = fields.optional("connected")?.let { yesOrNo(it, "connected") ?: return null } ?: true
    return requests?.let { Load.Burst(it, connected) }
}

internal fun ParseContext.steps(fields: Fields, shape: LoadForm): Load? {
    val node = fields.optional("steps")!!
    val nodes = members(node, "steps", shape.example) ?: return null
    if (nodes.size > MAX_STEPS) {
        return fail(nodes[MAX_STEPS], "there are more than $MAX_STEPS steps", "Make them longer.")
    }
    val parts = nodes.map { step(it) }
    val steps = Load.Steps(parts.filterNotNull().takeIf { it.size == nodes.size } ?: return null)
    val nanos = steps.parts.sumOf { it.lengthNanos ?: 0 }
    return when {
        nanos == 0L -> fail(node, "steps of bursts alone take no time", "Write a burst: {burst: 1000}")
        nanos > MAX_LOAD_NANOS -> fail(node, "all steps together are longer than $MAX_LENGTH", "Make them shorter.")
        else -> steps
    }
}

private fun ParseContext.step(node: YamlNode): Load.Open? {
    val connected = (node as? YamlMap)?.keyNode("connected")
    if (connected != null && "burst" in node) {
        return fail(
            connected, "\"connected\" does not go with a step", "Leave it out: steps connect when they need to.",
        )
    }
    return when (val load = load(node)) {
        null -> null
        is Load.Steps -> fail(node, "these are steps within steps", "Write all of them in one list.")
        is Load.Open -> load
        is Load.Users, is Load.Loops ->
            fail(
                node,
                "users cannot be a step: their requests have no schedule",
                "Steps are rate, poisson, ramp and burst.",
            )
    }
}

private fun ParseContext.perSecond(fields: Fields, shape: LoadForm): Double? =
    quantity(fields.optional(shape.key)!!, shape.key, Quantity.rate, "1/h", FASTEST)

private fun ParseContext.length(fields: Fields, shape: LoadForm): Long? =
    fields.required("for", shape.example)?.let { nanos(it, "for", "1ms", MAX_LENGTH) }

private const val MAX_USERS = 100_000
private const val MAX_LOOPS = 10_000_000
private const val MAX_STEPS = 100
private const val FASTEST = "1000000/s"
private const val MAX_LENGTH = "24h"
private const val MAX_LOAD_NANOS = 24 * 3_600_000_000_000
private const val THINK_EXAMPLE = "1s, or 1s..3s for anything between the two"
