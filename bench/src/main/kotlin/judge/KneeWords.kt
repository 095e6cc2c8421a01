package threadgauge.judge

import threadgauge.model.Doubt
import threadgauge.model.JudgedProbe
import threadgauge.model.Knee
import threadgauge.model.KneeOutcome
import threadgauge.model.KneeQuestion
import threadgauge.model.Record
import threadgauge.model.Validity
import threadgauge.model.words
import threadgauge.stats.FEWEST_REPEATS

/** The answer in one or two sentences. */
internal fun kneeWords(
    target: String,
    question: KneeQuestion,
    outcome: KneeOutcome,
    knee: Knee?,
    highestKept: Double?,
    probes: List<JudgedProbe>,
): String {
    val slo = question.slo.words()
    val least = highestKept?.let { "at least ${rate(it)}" } ?: "some rate"
    return when (outcome) {
        KneeOutcome.FOUND -> "$target keeps $slo up to ${rate(knee!!.perSecond)} (${number(knee.low)} to ${number(knee.high)})."
        KneeOutcome.NEVER_BROKEN -> "$target keeps $slo up to $least. It was asked for no more than ${rate(question.toPerSecond ?: 0.0)}."
        KneeOutcome.AGENT_IS_THE_LIMIT ->
            "$target keeps $slo up to $least. The load agent cannot tell more on this machine: it is the limit, not the target."
        KneeOutcome.NEVER_KEPT -> {
            val seen = probes.lowestBroken()
            val why = seen?.let { ": at ${rate(it.offeredPerSecond)} ${it.why.joinToString("; ")}" }.orEmpty()
            "$target never keeps $slo$why."
        }
        KneeOutcome.CANNOT_TELL -> "Too little was seen to say up to which rate $target keeps $slo."
    }
}

/** Doubts about the search as a whole. */
internal fun kneeDoubts(record: Record, probes: List<JudgedProbe>, found: List<Knee?>, knee: Knee?): List<Doubt> {
    val question = checkNotNull(record.plan.knee)
    val unsteady = record.repeats.count { it.warmUp?.steady == false }
    val few = probes.count { probe -> probe.outcome != null && probe.notes.any { "few for" in it } }
    val stolen = probes.count { probe -> probe.notes.any { "hypervisor" in it } }
    val open = probes.count { it.outcome != null }
    fun suspect(name: String, seen: String, remedy: String) = Doubt(name, seen, remedy, Validity.SUSPECT)
    val limited = probes.count { it.outcome in AGENTS }
    val lost = found.count { it == null }
    val width = knee?.let { it.high / it.low - 1 } ?: 0.0
    val fresh = "${record.repeats.size} fresh ${if (record.repeats.size == 1) "process" else "processes"}"
    return listOfNotNull(
        suspect("few-processes", "$fresh: what differs from one start to the next is not in the interval", "Use --repeats 3 or more.")
            .takeIf { knee != null && found.size - lost < FEWEST_REPEATS },
        suspect(
            "wide-interval",
            "the search ended with an interval of ${percent(width)}, wider than ${percent(question.tolerance)}",
            "Near the knee chance decided: allow more probes with --probes or longer ones with --probe, or take a quieter machine.",
        ).takeIf { width > question.tolerance && found.size == 1 },
        suspect("processes-disagree", "$lost of ${found.size} processes found no knee", "Look at their probes.")
            .takeIf { knee != null && lost > 0 },
        suspect("not-steady", "$unsteady of ${record.repeats.size} processes were still getting faster when the search began", "Run again.")
            .takeIf { unsteady > 0 },
        suspect("few-samples", "$few of $open probes had few answers for their percentile", "Lengthen them with --probe.")
            .takeIf { few > 0 },
        suspect(
            "stolen-time",
            "the hypervisor took more than 2 % of the machine's time in $stolen of ${probes.size} probes",
            "Use a machine that is not shared.",
        ).takeIf { stolen > 0 },
        suspect(
            "agent",
            "in $limited of $open probes the load agent was too busy or late, so they say nothing about the target",
            "Use a machine with more cores, or a quieter one.",
        ).takeIf { limited > 0 },
    )
}

private fun rate(perSecond: Double) = "${number(perSecond)}/s"

private fun number(value: Double) = if (value < 100) "%.1f".format(java.util.Locale.ROOT, value) else whole(value)
