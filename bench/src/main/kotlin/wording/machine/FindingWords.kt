package threadgauge.wording.machine

import java.util.Locale
import threadgauge.model.judgement.Finding
import threadgauge.model.judgement.FindingFact
import threadgauge.model.judgement.FindingId
import threadgauge.model.judgement.Severity
import threadgauge.wording.counted
import threadgauge.wording.percent
import threadgauge.wording.plainPercent
import threadgauge.wording.whole

/** What was seen, with the figure and the limit that it exceeds. Not a sentence, because it follows the name. */
internal fun Finding.seen(): String = when (val fact = fact) {
    FindingFact.Unknown -> id.unknown()
    is FindingFact.Pinned ->
        "${fact.cores} in all, ${named(fact.target)} for the target and ${named(fact.agent)} for the load agent"
    is FindingFact.NotPinned -> fact.seen()
    is FindingFact.Quota -> fact.seen()
    is FindingFact.Busy -> "${percent(fact.share)} of the machine was busy before the doctor started anything" +
        atMost(fact.limit, ::plainPercent)
    is FindingFact.Stolen -> "the hypervisor took ${percent(fact.share)} of the CPU time during the check" +
        atMost(fact.limit, ::plainPercent)
    is FindingFact.Memory -> "${gigabytes(fact.availableBytes)} of ${gigabytes(fact.totalBytes)} available" +
        atLeast(fact.limitBytes, ::plainGigabytes)
    is FindingFact.Swap -> (if (fact.usedBytes == 0L) "none" else gigabytes(fact.usedBytes)) + " in use" +
        atMost(fact.limitBytes, ::plainGigabytes)
    is FindingFact.Clock -> fact.seen()
    is FindingFact.CoreSpeed -> fact.seen() + atLeast(fact.limit, ::plainPercent)
    is FindingFact.Failures -> fact.seen()
    is FindingFact.Spread -> fact.seen(severity)
    is FindingFact.RoundNoise ->
        "two equal servers differ by ${percent(fact.deviation)} in one round, as a standard deviation" +
            atMost(fact.limit, ::plainPercent)
    is FindingFact.Lateness ->
        "p99 send delay of ${time(fact.p99Micros)} at ${whole(fact.ratePerSecond)}/s" +
            atMost(fact.limitMicros, ::plainMillis)
    is FindingFact.Stall ->
        "the longest stall of the load agent was ${time(fact.maxMicros)}" + atMost(fact.limitMicros, ::plainMillis)
    is FindingFact.OpenFiles -> fact.seen() + atLeast(fact.limit, ::count)
    is FindingFact.Ports ->
        "${count(fact.count.toLong())} (${fact.first} to ${fact.last})" + atLeast(fact.limit, ::count)
    is FindingFact.Queue -> "${fact.setting} is ${count(fact.length)}" + atLeast(fact.limit, ::count)
    is FindingFact.PortReuse -> "net.ipv4.tcp_tw_reuse is ${fact.setting}" +
        if (fact.setting == 0L) ", so a closed port can be reused only after a minute" else ""
}

/** What is unknown: the system does not report it, or the doctor could not measure it. */
private fun FindingId.unknown(): String = when (this) {
    FindingId.CORES -> "the system does not report its cores"
    FindingId.CPU_QUOTA -> "the system does not report its CPU quota"
    FindingId.BUSY_MACHINE -> "the system does not report how busy it is"
    FindingId.STOLEN_TIME -> "the system does not report how much CPU time a hypervisor takes"
    FindingId.MEMORY -> "the system does not report its available memory"
    FindingId.SWAP -> "the system does not report how much swap is in use"
    FindingId.CLOCK -> "the system does not report its clock source"
    FindingId.CORE_SPEED -> "the system does not report it, as is usual in virtual machines"
    FindingId.OPEN_FILES -> "the system does not report how many files a process may open"
    FindingId.LOCAL_PORTS -> "the system does not report its range of local ports"
    FindingId.ACCEPT_QUEUE -> "the system does not report net.core.somaxconn"
    FindingId.HALF_OPEN_QUEUE -> "the system does not report net.ipv4.tcp_max_syn_backlog"
    FindingId.PORT_REUSE -> "the system does not report net.ipv4.tcp_tw_reuse"
    FindingId.AGENT_ERRORS, FindingId.SPREAD, FindingId.ROUND_NOISE, FindingId.SENT_LATE, FindingId.STALLS ->
        "not measured"
}

private fun FindingFact.NotPinned.seen() = when (cause) {
    FindingFact.Cause.TOO_FEW_CORES -> "only one, which target and load agent must share"
    FindingFact.Cause.SYSTEM -> "$cores in all, but this system cannot pin a process to some of them"
    FindingFact.Cause.NO_TASKSET -> "$cores in all, but taskset is missing, so target and load agent share all of them"
}

private fun FindingFact.Quota.seen(): String {
    val quota = quotaCores ?: return "no control group limits CPU time"
    return if (quota < cores) "a quota limits target and load agent together to ${decimal(quota)} of $cores cores" else
        "a quota of ${decimal(quota)} cores, no fewer than there are"
}

private fun FindingFact.Clock.seen() =
    listOfNotNull(source, readNanos?.let { "${whole(it)} ns per read" }).joinToString(", ") +
        atMost(limitNanos) { "${whole(it)} ns" }

private fun FindingFact.CoreSpeed.seen() = (governor?.let { "governor $it" } ?: "no governor") +
    share?.let { ", ${percent(it)} of the maximum speed under load" }.orEmpty() +
    if (savesPower) ", which may slow cores down during a measurement" else ""

private fun FindingFact.Failures.seen() = when {
    silentRounds > 0 -> "the internal server answered nothing in ${counted(silentRounds.toLong(), "round")}"
    requests > 0 -> "${counted(requests, "request")} to the internal server failed"
    else -> "every request got a correct answer"
}

/** Whether it is a problem depends on the spread without the farthest round, so that is shown for a problem. */
private fun FindingFact.Spread.seen(severity: Severity): String {
    val isProblem = severity == Severity.PROBLEM
    val others = if (isProblem) ", and by ${percent(shareWithoutFarthest)} without the farthest one" else ""
    return "throughput of the load agent differs by ${percent(share)} between $rounds rounds" + others +
        atMost(limit, ::plainPercent)
}

private fun FindingFact.OpenFiles.seen() =
    if (soft == null && hard == null) "no limit" else "${count(soft)} (soft) and ${count(hard)} (hard) per process"

private fun <T : Any> atMost(limit: T?, words: (T) -> String) = limit?.let { " (limit ${words(it)})" }.orEmpty()

/** A lower limit. */
private fun <T : Any> Finding.atLeast(limit: T?, words: (T) -> String): String {
    val verb = if (severity == Severity.PROBLEM) "needed" else "recommended"
    return limit?.let { " (${words(it)} $verb)" }.orEmpty()
}

private fun count(number: Long?) = if (number == null) "no limit" else whole(number)

private fun named(cores: List<Int>) =
    if (cores.size == 1) "core ${cores.single()}" else "cores ${cores.joinToString(" ")}"

private fun gigabytes(bytes: Long) = "%.1f GB".format(Locale.ROOT, bytes / 1e9)

private fun plainGigabytes(bytes: Long) = "${decimal(bytes / 1e9)} GB"

private fun plainMillis(micros: Double) = "${decimal(micros / 1e3)} ms"

private fun decimal(value: Double) = "%.1f".format(Locale.ROOT, value).removeSuffix(".0")

internal fun time(micros: Double) =
    if (micros < 1_000) "${whole(micros)} µs" else "%.1f ms".format(Locale.ROOT, micros / 1e3)
