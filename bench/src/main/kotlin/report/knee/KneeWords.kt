package threadgauge.report.knee

import java.util.Locale
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json
import threadgauge.model.Environment
import threadgauge.model.Load
import threadgauge.model.Record
import threadgauge.model.Trial
import threadgauge.model.judgement.JudgedProbe
import threadgauge.model.judgement.KneeJudgement
import threadgauge.model.judgement.Sizing
import threadgauge.model.words
import threadgauge.report.format.NARROW_SPACE
import threadgauge.report.format.count
import threadgauge.report.format.number
import threadgauge.report.format.percent
import threadgauge.report.format.seconds
import threadgauge.report.html.section.words

/** Words that the reports of a search for the knee share. */
internal fun sizingWords(sizing: Sizing): String {
    val replicas = count(sizing.replicas.toInt(), "replica")
    val cores = sizing.coresEach?.let { " of ${count(it, "core")}" }.orEmpty()
    val most = if (sizing.atMost) "at most " else ""
    val headroom = percent(sizing.headroom).replace(NARROW_SPACE, "")
    return "For ${rateNumber(sizing.wantPerSecond)}/s with $headroom head-room: $most$replicas$cores each, " +
        "at ${rateNumber(sizing.eachPerSecond)}/s apiece (the lower end). This assumes that replicas scale linearly, that the " +
        "balancer is free, and that their cores are like this machine's."
}

internal fun howItWasSought(record: Record, judgement: KneeJudgement): String {
    val processes = record.trials.size
    val open = judgement.probes.count { it.outcome != null }
    val how = when {
        processes == 1 -> "One fresh process, warmed up"
        else -> "${number(processes)} fresh processes, each warmed up"
    }
    val spread = when {
        judgement.knee == null -> ""
        processes >= 3 -> " The interval (95 %) holds what differs between processes."
        processes == 2 -> " The interval spans those of both processes (95 % each)."
        else -> " The interval (95 %) is that of the search in this process."
    }
    val length = seconds(judgement.question.probeNanos).replace(NARROW_SPACE, " ")
    return "$how: ${count(open, "probe")} with Poisson arrivals, $length each near the knee." + spread
}

/** "07", or "2-07" where there are several processes. */
internal fun shortName(probe: JudgedProbe): String =
    probe.name.removePrefix("probe-").let { if (probe.trial == 1) it else "${probe.trial}-$it" }

internal fun loadWords(probe: JudgedProbe): String = when (val load = probe.load) {
    is Load.Users -> "${number(load.users)} users"
    is Load.Poisson -> "${rateNumber(load.ratePerSecond)}/s"
    else -> load.words()
}

internal fun rateNumber(perSecond: Double): String = number(perSecond, if (perSecond < 100) 1 else 0)

/** κ is often a millionth. */
internal fun tiny(value: Double): String = if (value == 0.0) "0" else "%.2g".format(Locale.ROOT, value)

/** The result of a search for programs: the judgement, and what it was measured on. Units are in the names. */
@Serializable
data class KneeJson(
    val schema: Int = 1,
    val startedAt: String,
    val endedAt: String?,
    val stateReason: String?,
    val machine: Environment,
    val processes: List<KneeProcess>,
    val judgement: KneeJudgement,
)

/** One process, without its probes: those are in the judgement. */
@Serializable
data class KneeProcess(val number: Int, val state: String, val stateReason: String?, val command: List<String>, val log: String)

/** One JSON document with a newline at its end. */
fun kneeJson(record: Record, judgement: KneeJudgement): String = FORMAT.encodeToString(
    KneeJson.serializer(),
    KneeJson(
        startedAt = record.startedAt, endedAt = record.endedAt, stateReason = record.stateReason, machine = record.environment,
        processes = record.trials.map(::process), judgement = judgement,
    ),
) + "\n"

private fun process(trial: Trial) = KneeProcess(trial.number, trial.state.name, trial.stateReason, trial.command, trial.log)

private val FORMAT = Json {
    prettyPrint = true
    encodeDefaults = true
}
