package threadgauge.plan.command

import threadgauge.experiment.load.readSlo
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.experiment.yaml.Measure
import threadgauge.experiment.yaml.Node
import threadgauge.experiment.yaml.Reading
import threadgauge.experiment.yaml.measure
import threadgauge.experiment.yaml.nanos
import threadgauge.experiment.yaml.wholeNumber
import threadgauge.model.KneeQuestion
import threadgauge.model.Plan
import threadgauge.model.Slo
import threadgauge.plan.MOST_REPEATS
import threadgauge.plan.planKnee

/** What `threadgauge knee` was told, as it was typed: nothing of it has been checked. Null where an option was not given. */
class KneeOrder(
    /** Target, request and connections, in the words of `threadgauge try`; its load and repeats are not looked at. */
    val what: TryOrder,
    val slo: String? = null,
    val from: String? = null,
    val to: String? = null,
    val probe: String? = null,
    val probes: String? = null,
    val want: String? = null,
    val headroom: String? = null,
    val repeats: String? = null,
)

/** Throws [ExperimentMistakes] with everything that is wrong with [order]; those in the goals have their place in the text. */
fun readKnee(order: KneeOrder, catalogue: StackCatalogue): Plan {
    val mistakes = Mistakes()
    fun <T : Any> option(name: String, text: String?, read: Reading.(Node) -> T?): T? =
        text?.let { mistakes.of { optionValue(name, it, read) } }
    fun rate(name: String, text: String?) = option(name, text) { measure(it, name, Measure.rate, "1/h", "1000000000/s") }
    val tried = mistakes.of { readTry(order.what, catalogue).plan }
    val usual = KneeQuestion(mistakes.of { order.slo?.let { readSlo(it) } ?: Slo.USUAL } ?: Slo.USUAL)
    val question = usual.copy(
        fromPerSecond = rate("--from", order.from) ?: usual.fromPerSecond,
        climb = order.from != null,
        toPerSecond = rate("--to", order.to),
        probeNanos = option("--probe", order.probe) { nanos(it, "--probe", "500ms", "10m") } ?: usual.probeNanos,
        mostProbes = option("--probes", order.probes) { wholeNumber(it, "--probes", FEWEST_PROBES..MOST_PROBES) } ?: usual.mostProbes,
        wantPerSecond = rate("--want", order.want),
        headroom = option("--headroom", order.headroom) { measure(it, "--headroom", Measure.percent, "0%", "1000%") } ?: usual.headroom,
    )
    if (question.toPerSecond.let { it != null && it <= question.fromPerSecond }) {
        mistakes.add("--to", "the highest rate is not above the lowest, ${order.from ?: "10/s"}", "Give a higher --to, or a lower --from.")
    }
    if (order.headroom != null && order.want == null) {
        mistakes.add("--headroom", "there is no rate to have it for", "Give one with --want, such as 10000/s.")
    }
    val repeats = option("--repeats", order.repeats) { wholeNumber(it, "--repeats", 1..MOST_REPEATS) } ?: 1
    mistakes.throwAll()
    return planKnee(question, checkNotNull(tried), repeats)
}

/** With fewer nothing can be told apart from luck. */
private const val FEWEST_PROBES = 6
private const val MOST_PROBES = 200
