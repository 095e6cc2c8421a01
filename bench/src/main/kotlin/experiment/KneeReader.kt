package threadgauge.experiment

import threadgauge.model.KneeQuestion
import threadgauge.model.Request
import threadgauge.model.Slo
import java.nio.file.Path

/** The options of a search for the knee, as they were written. Null: not given. */
data class KneeOptions(
    val slo: String? = null,
    val path: String? = null,
    val from: String? = null,
    val to: String? = null,
    val probe: String? = null,
    val probes: String? = null,
    val want: String? = null,
    val headroom: String? = null,
    val repeats: String? = null,
)

/** What [KneeOptions] ask for. */
data class KneeOrder(val question: KneeQuestion, val request: Request, val repeats: Int)

/** Throws [ExperimentMistakes] with the mistakes in all options, each with its place. [usualPath] is asked for where no path is given. */
fun readKnee(options: KneeOptions, usualPath: String = "/hello"): KneeOrder {
    val mistakes = ArrayList<ExperimentMistake>()
    fun <T> option(name: String, text: String?, usual: T, read: Reading.(Scalar) -> T?): T {
        if (text == null) return usual
        val reading = Reading(name, text, Path.of(""))
        val value = reading.read(Scalar(Place(1, 1), text, quoted = false))
        mistakes += reading.mistakes()
        return value ?: usual
    }
    val slo = try {
        options.slo?.let { readSlo(it) } ?: Slo.USUAL
    } catch (wrong: ExperimentMistakes) {
        mistakes += wrong.mistakes
        Slo.USUAL
    }
    val request = option("--path", options.path, Request(path = usualPath)) { node ->
        requestLine(node.copy(text = "GET ${node.text}"), Rows.NONE)?.let { (method, path) -> Request(method, path) }
    }
    val usual = KneeQuestion(slo)
    val from = option("--from", options.from, usual.fromPerSecond) { measure(it, "the lowest rate", Measure.rate, "1/m", "1000000/s") }
    val to = option("--to", options.to, usual.toPerSecond) { measure(it, "the highest rate", Measure.rate, "1/m", "10000000/s") }
    if (to != null && to <= from) {
        val remedy = "Give a --to above $from/s, or a lower --from."
        mistakes += ExperimentMistake("--to", 1, 1, options.to.orEmpty(), "the highest rate is not above the lowest", remedy)
    }
    val question = usual.copy(
        fromPerSecond = from,
        climb = options.from != null,
        toPerSecond = to,
        probeNanos = option("--probe", options.probe, usual.probeNanos) { nanos(it, "a probe", "500ms", "10m") },
        mostProbes = option("--probes", options.probes, usual.mostProbes) { wholeNumber(it, "the number of probes", 6..200) },
        wantPerSecond = option("--want", options.want, null) { measure(it, "the rate wanted", Measure.rate, "1/h", "1000000000/s") },
        headroom = option("--headroom", options.headroom, usual.headroom) { measure(it, "the head-room", Measure.percent, "0%", "1000%") },
    )
    val repeats = option("--repeats", options.repeats, 1) { wholeNumber(it, "the number of processes", 1..MOST_REPEATS) }
    if (mistakes.isNotEmpty()) throw ExperimentMistakes(mistakes)
    return KneeOrder(question, request, repeats)
}
