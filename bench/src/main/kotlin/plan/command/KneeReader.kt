package threadgauge.plan.command

import threadgauge.experiment.load.readSlo
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.Quantity
import threadgauge.experiment.yaml.YamlNode
import threadgauge.experiment.yaml.nanos
import threadgauge.experiment.yaml.quantity
import threadgauge.experiment.yaml.wholeNumber
import threadgauge.model.MAX_TRIALS
import threadgauge.model.Slo
import threadgauge.model.plan.KneeQuestion
import threadgauge.model.plan.Plan
import threadgauge.plan.planKnee

/** The arguments of `threadgauge knee`, unchecked. Null where an option was not given. */
class KneeOrder(
    /** Targets, request and connections, as for `threadgauge try`; its load and trials are ignored. */
    val what: TryOrder,
    val slo: String? = null,
    val from: String? = null,
    val to: String? = null,
    val probe: String? = null,
    val probes: String? = null,
    val want: String? = null,
    val headroom: String? = null,
    val trials: String? = null,
)

/** Throws [ExperimentMistakes] with all mistakes in [order]; those in the goals have their position in the text. */
fun readKnee(order: KneeOrder, catalogue: StackCatalogue): Plan {
    val mistakes = Mistakes()
    fun <T : Any> option(name: String, text: String?, read: ParseContext.(YamlNode) -> T?): T? =
        text?.let { mistakes.of { optionValue(name, it, read) } }
    fun rate(name: String, text: String?) =
        option(name, text) { quantity(it, name, Quantity.rate, "1/h", "1000000000/s") }
    val tried = mistakes.of { readTry(order.what, catalogue).plan }
    val usual = KneeQuestion(mistakes.of { order.slo?.let { readSlo(it) } ?: Slo.USUAL } ?: Slo.USUAL)
    val question = usual.copy(
        fromPerSecond = rate("--from", order.from) ?: usual.fromPerSecond,
        climb = order.from != null,
        toPerSecond = rate("--to", order.to),
        probeNanos = option("--probe", order.probe) { nanos(it, "--probe", "500ms", "10m") } ?: usual.probeNanos,
        maxProbes = option("--probes", order.probes) { wholeNumber(it, "--probes", MIN_PROBES..MAX_PROBES) }
            ?: usual.maxProbes,
        wantPerSecond = rate("--want", order.want),
        headroom = option("--headroom", order.headroom) { quantity(it, "--headroom", Quantity.percent, "0%", "1000%") }
            ?: usual.headroom,
    )
    if (question.toPerSecond.let { it != null && it <= question.fromPerSecond }) {
        mistakes.add(
            "--to",
            "the highest rate is not above the lowest, ${order.from ?: "10/s"}",
            "Give a higher --to, or a lower --from.",
        )
    }
    if (order.headroom != null && order.want == null) {
        mistakes.add("--headroom", "there is no rate to have it for", "Give one with --want, such as 10000/s.")
    }
    val trials = option("--trials", order.trials) { wholeNumber(it, "--trials", 1..MAX_TRIALS) } ?: 1
    mistakes.throwAll()
    return planKnee(question, checkNotNull(tried), trials)
}

/** With fewer, chance dominates. */
private const val MIN_PROBES = 6
private const val MAX_PROBES = 200
