package threadgauge.report.runs

import java.util.Locale
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json
import threadgauge.model.Load
import threadgauge.model.RunState
import threadgauge.model.judgement.CellProgress
import threadgauge.model.judgement.LoadPoint
import threadgauge.model.judgement.ProbeProgress
import threadgauge.model.judgement.RunProgress
import threadgauge.report.format.NARROW_SPACE
import threadgauge.report.format.NOTHING
import threadgauge.report.format.number
import threadgauge.report.knee.rateNumber
import threadgauge.wording.knee.words
import threadgauge.wording.run.notice
import threadgauge.wording.run.now
import threadgauge.wording.run.words

/**
 * What the page of a run under way shows, and what it asks for again every second: texts as `serve.js` puts them into
 * the page, and beside them the data that they were made of, for other programs.
 */
@Serializable
class LiveDocument(
    /** Changes with the record. */
    val version: String,
    /** Nothing will change any more. */
    val isOver: Boolean,
    val status: String,
    /** Name of the style of [status]. */
    val style: String,
    val words: String,
    /** Trials that have ended as a share of those planned, 0 to 1; null where the run plans itself. */
    val share: Double?,
    /** What the trials under way are doing; empty where no process writes the record. */
    val now: List<String>,
    val notice: String?,
    /** In the order of [RunProgress.cells]. */
    val cells: List<LiveCell>,
    /** The newest first. */
    val probes: List<List<String>>,
    val progress: RunProgress,
)

/** A row of figures: [texts] in the order of [LIVE_COLUMNS]. */
@Serializable
class LiveCell(
    val texts: List<String>,
    /** The rates of the latest slices as a path in a drawing of [CURVE_WIDTH] by [CURVE_HEIGHT]; empty without. */
    val curve: String,
    /** The newest of them in words. */
    val newest: String,
)

/** The document of [progress]; [version] is that of the record. [isWritten]: a living process writes the record. */
fun liveDocument(progress: RunProgress, version: String, isWritten: Boolean): LiveDocument {
    val status = RunStatus.of(progress.state, isWritten)
    return LiveDocument(
        version = version,
        isOver = status != RunStatus.UNDER_WAY,
        status = status.word,
        style = style(status),
        words = progress.words(),
        share = ((progress.measured + progress.failed).toDouble() / maxOf(1, progress.planned))
            .takeIf { !progress.plansItself || progress.state != RunState.RUNNING }?.coerceAtMost(1.0),
        now = if (status == RunStatus.UNDER_WAY) progress.now() else emptyList(),
        notice = progress.notice(isWritten),
        cells = progress.cells.map(::liveCell),
        probes = progress.probes.takeLast(MAX_PROBES).asReversed().map(::probeTexts),
        progress = progress,
    )
}

fun liveJson(document: LiveDocument): String = FORMAT.encodeToString(LiveDocument.serializer(), document)

/** Headings of the figures, and names of their columns on narrow screens. */
internal val LIVE_COLUMNS =
    listOf("trials", "answers/s", "p50, ms", "p90, ms", "p99, ms", "CPU/request, µs", "failed requests")

internal val PROBE_COLUMNS = listOf("target", "probe", "load", "answers/s", "p50, ms", "p99, ms", "goals")

private fun liveCell(cell: CellProgress): LiveCell {
    fun text(value: Double?) = value?.let { number(it) } ?: NOTHING
    return LiveCell(
        listOf(
            number(cell.trials), text(cell.perSecond), text(cell.p50Millis), text(cell.p90Millis), text(cell.p99Millis),
            text(cell.cpuMicrosPerRequest), number(cell.failed),
        ),
        curve(cell.latest.map { it.perSecond }),
        cell.latest.lastOrNull()?.let { newest(it) }.orEmpty(),
    )
}

private fun newest(point: LoadPoint): String {
    val p99 = point.p99Millis?.let { ", p99 ${number(it)}${NARROW_SPACE}ms" }.orEmpty()
    return "${number(point.perSecond)}/s$p99"
}

private fun probeTexts(progress: ProbeProgress): List<String> {
    val probe = progress.probe
    val load = when (val load = probe.load) {
        is Load.Users -> if (load.users == 1) "1 user" else "${number(load.users)} users"
        else -> "${rateNumber(probe.offeredPerSecond)}/s"
    }
    return listOf(
        progress.stack, probe.name, load, rateNumber(probe.answeredPerSecond), number(probe.latency.p50Micros / 1e3),
        number(probe.latency.p99Micros / 1e3), probe.outcome?.words ?: NOTHING,
    )
}

/** From zero upwards, so that noise looks as small as it is. */
private fun curve(values: List<Double>): String {
    val top = values.maxOrNull()?.takeIf { it > 0 && values.size > 1 } ?: return ""
    return values.mapIndexed { at, value ->
        val x = CURVE_WIDTH * at.toDouble() / (values.size - 1)
        val y = CURVE_HEIGHT - (CURVE_HEIGHT - 2) * value / top - 1
        "%s%.1f %.1f".format(Locale.ROOT, if (at == 0) "M" else "L", x, y)
    }.joinToString("")
}

internal const val CURVE_WIDTH = 160
internal const val CURVE_HEIGHT = 32

private const val MAX_PROBES = 40

private val FORMAT = Json { encodeDefaults = true }
