package threadgauge.wording.cause

import threadgauge.model.judgement.cause.Holder
import threadgauge.model.judgement.cause.HotPlace
import threadgauge.model.judgement.cause.ThreadRole
import threadgauge.model.judgement.cause.TimeKind
import threadgauge.wording.digits
import threadgauge.wording.listed
import threadgauge.wording.percent
import threadgauge.wording.whole

/** What holds the throughput, as a clause after "because"; where no cause was found, a clause that says so. */
internal fun Holder.words(): String = when (this) {
    is Holder.Processor -> {
        val shared = waiting?.let { ", other programs use the rest, and ${threads(it)} for a core" }.orEmpty()
        "the processor is busy ${percent(busyShare)}$shared${hottest.clause()}"
    }
    is Holder.EventLoop -> words()
    is Holder.RequestThreads -> words()
    is Holder.Lock ->
        "requests wait for the lock${of?.let { " ${lockName(it)}" }.orEmpty()}${inMethod(place)}${atPlace(place)}, " +
            "${ofTheLatency(latencyShare)}; ${threads(waiting)}"
    is Holder.ConnectionPool -> {
        val size = max?.let { ", which has ${whole(it.toLong())}${if (place == null) "" else ","}" }.orEmpty()
        val share = latencyShare?.let { ", ${ofTheLatency(it)}" }.orEmpty()
        val queue = waiting?.let { "; ${if (place == null) waitingRequests(it) else threads(it)}" }.orEmpty()
        "requests wait for ${free(name)}$size${atPlace(place)}$share$queue"
    }
    is Holder.Threads -> "each request makes ${newThreads(perRequest)} of $group${atPlace(place)} and never ends " +
        "${if (isOne(perRequest)) "it" else "them"}; there are ${whole(threads.toLong())} by now"
    is Holder.Backend -> "${backendName()} takes ${percent(latencyShare)} of the latency${atPlace(place)}, " +
        "and nothing of its own is at its limit"
    is Holder.Load -> words()
    is Holder.CarriersPinned -> {
        val why = reason?.let { " ($it)" }.orEmpty()
        // What pins may be the lock of a caller.
        "virtual threads pin their ${if (carriers == 1) "only carrier" else "$carriers carriers"} for " +
            "${percent(pinnedShare)} of the time${place?.let { " at ${it.wordsWithCaller()}" }.orEmpty()}$why"
    }
    is Holder.Collector -> words()
    is Holder.Unknown -> "no cause was found" +
        if (seen.isEmpty()) "" else "; most of the latency is the wait for ${listed(seen.map { it.words() })}"
}

private fun Holder.EventLoop.words(): String {
    val loops = if (threads == 1) "one event loop is" else "${whole(threads.toLong())} event loops are"
    val blocking = blocking ?: return "its $loops busy ${percent(busyShare)}${hottest.clause()}"
    val others = if (blockedShare - blocking.share > OTHERS) ", for ${percent(blocking.share)}" else ""
    return "its $loops blocked ${percent(blockedShare)} of the time$others ${blocking.words()}"
}

private fun Holder.RequestThreads.words(): String {
    val kind = if (role == ThreadRole.REQUEST) "request " else ""
    val name = if (role == ThreadRole.REQUEST) "" else " of $group"
    val doing = doing?.let { "${percent(it.share)} of its time ${it.words()}" }
    return if (threads == 1) {
        "its one ${kind}thread$name is busy${doing?.let { ", $it" }.orEmpty()}"
    } else {
        "its ${whole(threads.toLong())} ${kind}threads$name are all busy${doing?.let { ", each $it" }.orEmpty()}"
    }
}

private fun Holder.Load.words(): String {
    val processor = processorShare?.let { " (processor ${percent(it)})" }.orEmpty()
    val parts = waitsFor.filterIndexed { index, it -> index == 0 || it.share >= WORTH_NAMING }
    val waits = if (parts.isEmpty()) "their answers" else listed(parts.map { it.words() })
    val think = thinkMicros?.let { "for ${digits(it / 1e3)} ms and" }
    val who = when (users) {
        null -> "it serves all requests that arrive, and they wait for"
        1 -> "its only user ${think?.let { "thinks $it " }.orEmpty()}waits for"
        else -> "its ${whole(users.toLong())} users ${think?.let { "think $it " }.orEmpty()}wait for"
    }
    return "nothing of it is at its limit$processor: $who $waits"
}

private fun Holder.Collector.words(): String {
    val pauses = pauseShare?.let { "stops all its threads for ${percent(it)} of the time" }
    val cpu = cpuShare?.let { "takes ${percent(it)} of its CPU time" }
    return "garbage collection " + listOfNotNull(pauses, cpu).joinToString(" and ")
}

private fun Holder.Backend.backendName() = when {
    kind == TimeKind.DATABASE -> on ?: "the database"
    else -> on?.let { "the backend $it" } ?: "a backend"
}

private fun HotPlace?.clause() =
    this?.let { ", most of all in ${it.place.methodAndPlace()} (${percent(it.share)})" }.orEmpty()

private fun isOne(number: Double) = Math.round(number) <= 1L

private fun newThreads(number: Double) = if (isOne(number)) "a new thread" else "${digits(number)} new threads"

private fun ofTheLatency(share: Double) = "${percent(share)} of the latency"

/** Of a pool that reports itself; those without a thread have no place either. */
private fun waitingRequests(waiting: Double) = "${digits(waiting)} of them at a time"

private fun threads(waiting: Double) =
    "${digits(waiting)} ${if (waiting == 1.0) "thread waits" else "threads wait"} on average"

/** A difference of shares from which a second reason is worth a word. */
private const val OTHERS = 0.05

/** A smaller part of the latency does not explain it. */
private const val WORTH_NAMING = 0.1
