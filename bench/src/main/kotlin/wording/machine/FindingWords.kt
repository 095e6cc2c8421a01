package threadgauge.wording.machine

import java.util.Locale
import threadgauge.model.judgement.Finding
import threadgauge.model.judgement.FindingFact
import threadgauge.model.judgement.FindingId
import threadgauge.model.judgement.Severity
import threadgauge.wording.percent
import threadgauge.wording.whole

/**
 * What was seen, with its figure and the limit that it passed. It stands behind the finding's name, so it is no
 * sentence.
 */
internal fun Finding.seen(): String = when (val fact = fact) {
    FindingFact.Unknown -> "the system does not tell ${id.subject}"
    is FindingFact.Pinned ->
        "${fact.cores} in all, ${named(fact.target)} for the target and ${named(fact.agent)} for the load agent"
    is FindingFact.NotPinned -> fact.seen()
    is FindingFact.Quota -> fact.seen()
    is FindingFact.Busy ->
        "${percent(fact.share)} of the machine was at work before anything was started" +
            limited(fact.limit, ::shareText)
    is FindingFact.Stolen -> fact.seen(severity)
    is FindingFact.Memory ->
        "${gigabytes(fact.availableBytes)} of ${gigabytes(fact.totalBytes)} available" +
            limited(fact.limitBytes, ::roundGigabytes)
    is FindingFact.Swap -> (if (fact.usedBytes == 0L) "none" else gigabytes(fact.usedBytes)) + " in use" +
        limited(fact.limitBytes, ::roundGigabytes)
    is FindingFact.Clock -> fact.seen()
    is FindingFact.CoreSpeed -> fact.seen()
    is FindingFact.Failures -> fact.seen()
    is FindingFact.Spread -> fact.seen(severity)
    is FindingFact.Lateness ->
        "1 % of requests left more than ${time(fact.p99Micros)} late at ${whole(fact.ratePerSecond)}/s" +
            limited(fact.limitMicros, ::roundMillis)
    is FindingFact.Stall ->
        "the agent stood still for ${time(fact.maxMicros)} at the worst" + limited(fact.limitMicros, ::roundMillis)
    is FindingFact.OpenFiles -> fact.seen()
    is FindingFact.Ports ->
        "${count(fact.count.toLong())} (${fact.first} to ${fact.last})" + limited(fact.limit, ::count)
    is FindingFact.Queue -> "${fact.setting} is ${count(fact.length)}" + limited(fact.limit, ::count)
    is FindingFact.PortReuse -> "net.ipv4.tcp_tw_reuse is ${fact.setting}" +
        if (fact.setting == 0L) ": a port can be used again only after a minute" else ""
}

/** What the system may not report. */
private val FindingId.subject: String
    get() = when (this) {
        FindingId.CORES -> "its cores"
        FindingId.CPU_QUOTA -> "its quota of processor time"
        FindingId.BUSY_MACHINE -> "how busy it is"
        FindingId.STOLEN_TIME -> "how much time a hypervisor takes"
        FindingId.MEMORY -> "how much memory is available"
        FindingId.SWAP -> "how much swap is in use"
        FindingId.CLOCK -> "which clock it uses"
        FindingId.CORE_SPEED -> "it, as is usual in virtual machines"
        FindingId.AGENT_ERRORS -> "whether requests fail"
        FindingId.SPREAD -> "how fast the agent is"
        FindingId.SENT_LATE -> "when requests leave"
        FindingId.STALLS -> "whether the agent stalls"
        FindingId.OPEN_FILES -> "how many files a process may open"
        FindingId.LOCAL_PORTS -> "its range of ports"
        FindingId.ACCEPT_QUEUE -> "net.core.somaxconn"
        FindingId.HALF_OPEN_QUEUE -> "net.ipv4.tcp_max_syn_backlog"
        FindingId.PORT_REUSE -> "whether it uses ports again"
    }

private fun FindingFact.NotPinned.seen() = when (cause) {
    FindingFact.Cause.TOO_FEW_CORES -> "only one, which target and agent must share"
    FindingFact.Cause.SYSTEM -> "$cores in all, but this system cannot keep a process to some of them"
    FindingFact.Cause.NO_TASKSET -> "$cores in all, but there is no taskset, so target and agent share them all"
}

private fun FindingFact.Quota.seen(): String {
    val quota = quotaCores ?: return "no control group limits the time of the cores"
    return if (quota < cores) "target and agent together may use the time of ${decimal(quota)} of $cores cores" else
        "${decimal(quota)} cores' worth of time, no fewer than there are cores"
}

private fun FindingFact.Stolen.seen(severity: Severity) =
    if (severity == Severity.FINE) "a hypervisor took ${percent(share)} of the machine's time" else
        "the hypervisor took ${percent(share)} of the machine's time while the agent was measured" +
            limited(limit, ::shareText)

private fun FindingFact.Clock.seen() =
    listOfNotNull(source, readNanos?.let { "${whole(it)} ns to read" }).joinToString(", ") +
        limited(limitNanos) { "${whole(it)} ns" }

private fun FindingFact.Spread.seen(severity: Severity) = "the agent's $rounds rounds differ by ${percent(share)}" +
    (if (severity == Severity.PROBLEM) ", and not because of a single one" else "") + limited(limit, ::shareText)

private fun FindingFact.CoreSpeed.seen() = (governor?.let { "governor $it" } ?: "no governor") +
    share?.let { ", ${percent(it)} of the greatest speed under load" }.orEmpty() +
    (if (savesPower) ", which may save power in the middle of a measurement" else "") + limited(limit, ::shareText)

private fun FindingFact.Failures.seen() = when {
    silentRounds > 0 -> "the internal server answered nothing in at least one round"
    requests > 0 -> "${count(requests)} requests to the internal server failed"
    else -> "every request was answered, every answer was right"
}

private fun FindingFact.OpenFiles.seen() = if (soft == null && hard == null) "no limit" else
    "${count(soft)} (soft) and ${count(hard)} (hard) for each process" + limited(limit, ::count)

private fun <T : Any> limited(value: T?, words: (T) -> String) = value?.let { " (limit ${words(it)})" }.orEmpty()

private fun count(number: Long?) = if (number == null) "no limit" else whole(number.toDouble())

private fun shareText(share: Double) = "${decimal(share * 100)} %"

private fun named(cores: List<Int>) =
    if (cores.size == 1) "core ${cores.single()}" else "cores ${cores.joinToString(" ")}"

private fun gigabytes(bytes: Long) = "%.1f GB".format(Locale.ROOT, bytes / 1e9)

private fun roundGigabytes(bytes: Long) = "${decimal(bytes / 1e9)} GB"

private fun roundMillis(micros: Double) = "${decimal(micros / 1e3)} ms"

private fun decimal(value: Double) = "%.1f".format(Locale.ROOT, value).removeSuffix(".0")

private fun time(micros: Double) =
    if (micros < 1_000) "${whole(micros)} µs" else "%.1f ms".format(Locale.ROOT, micros / 1e3)
