package threadgauge.experiment.load

import threadgauge.experiment.yaml.Fields
import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.YamlNode
import threadgauge.experiment.yaml.fields
import threadgauge.model.Load

/** Reads one load, such as `{users: 200, for: 60s}`. The first key names the kind of load. */
internal fun ParseContext.load(node: YamlNode): Load? {
    val fields = fields(node, "a load", SHAPES.keys.toList() + COMPANIONS, EXAMPLES) ?: return null
    val shapes = SHAPES.values.filter { it.key in fields }
    val shape = shapes.firstOrNull()
    if (shape == null) {
        if (SHAPES.keys.none(fields::isMeant)) {
            wrong(node, "this load does not say how requests arrive", "Write $EXAMPLES")
        }
        return null
    }
    val strangers = (SHAPES.keys + COMPANIONS).filter { it in fields && it != shape.key && it !in shape.companions }
    for (stranger in strangers) {
        wrong(fields.keyNode(stranger), "\"$stranger\" does not go with \"${shape.key}\"", "Write ${shape.example}")
    }
    return if (strangers.isEmpty()) shape.read(this, fields, shape) else null
}

/** A kind of load: its key, the keys that may accompany it, and its reader. */
internal class LoadForm(
    val key: String,
    val companions: Set<String>,
    val example: String,
    val read: ParseContext.(Fields, LoadForm) -> Load?,
)

private val COMPANIONS = listOf("for", "loops", "think", "ramp-in", "seed", "connected")

private val SHAPES = listOf(
    LoadForm(
        "users",
        setOf("for", "loops", "think", "ramp-in"),
        "{users: 200, for: 60s} or {users: 200, loops: 10}",
        ParseContext::users,
    ),
    LoadForm("rate", setOf("for"), "{rate: 2000/s, for: 60s}", ParseContext::rate),
    LoadForm("poisson", setOf("for", "seed"), "{poisson: 2000/s, for: 60s}", ParseContext::poisson),
    LoadForm("ramp", setOf("for"), "{ramp: 5/s..500/s, for: 60s}", ParseContext::ramp),
    LoadForm("burst", setOf("connected"), "{burst: 1000} or {burst: 1000, connected: no}", ParseContext::burst),
    LoadForm(
        "steps", emptySet(), "{steps: [{rate: 100/s, for: 10s}, {ramp: 100/s..500/s, for: 10s}]}", ParseContext::steps,
    ),
).associateBy { it.key }

private const val EXAMPLES =
    "{users: 50, for: 5s}, {users: 50, loops: 10}, {rate: 2000/s, for: 60s}, {poisson: 2000/s, for: 60s}, " +
        "{ramp: 5/s..500/s, for: 60s}, {burst: 1000} or {steps: [{rate: 100/s, for: 10s}, {burst: 1000}]}"
