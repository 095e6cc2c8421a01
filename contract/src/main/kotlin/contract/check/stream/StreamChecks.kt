package threadgauge.contract.check.stream

import threadgauge.contract.check.Check
import threadgauge.contract.check.protocol.mustReject
import threadgauge.contract.check.work.MAX_MILLIS
import threadgauge.contract.client.Answer
import threadgauge.contract.client.ContractClient

/** A stream of server-sent events: the right ones, at their pace, each sent when it is due. */
internal val eventChecks: List<Check> = listOf(
    Check("$EVENTS sends as many events as its path says, numbered from 0", EVENTS) {
        for (count in listOf(1, SOME)) get("$EVENTS/0/$count").mustHaveEvents(count)
    },
    Check("$EVENTS waits before each event as long as its path says", EVENTS) {
        get("$EVENTS/$PACE_MILLIS/$SOME").mustHaveEvents(SOME).mustTakeAtLeast(SOME * PACE_MILLIS)
    },
    Check("$EVENTS sends each event when it is due, and not all together at the end", EVENTS) { mustComeInPieces() },
    Check("$EVENTS rejects numbers that are malformed or out of range", EVENTS) {
        mustReject("ms", 0, MAX_MILLIS) { "$EVENTS/$it/1" }
        mustReject("count", 1, MAX_EVENTS) { "$EVENTS/0/$it" }
    },
)

/**
 * A client that is late gets pieces together, so the pauses between events grow from attempt to attempt, until they are
 * long against the delays of any machine. A server that collects its answer sends one piece, however long they are.
 */
private fun ContractClient.mustComeInPieces() {
    val seen = PAUSES_MILLIS.asSequence().map { millis -> getInPieces("$EVENTS/$millis/$SOME") }
        .onEach { (answer, _) -> answer.mustHaveEvents(SOME) }
    val (answer, pieces) = seen.firstOrNull { (_, pieces) -> pieces > 1 } ?: getInPieces("$EVENTS/0/$SOME")
    answer.must(pieces > 1) { "expected $SOME events one after the other, got them all in one piece" }
}

private fun Answer.mustHaveEvents(count: Int) = mustHaveStatus(200).mustBeOfType("text/event-stream").apply {
    val expected = List(count) { "$it" }
    val got = eventsOf(text)
    must(got == expected) { "expected the events ${expected.joinToString()}, got ${got.joinToString()}" }
}

/** The data of each event of a [stream], by the HTML Living Standard, section 9.2.6. */
internal fun eventsOf(stream: String): List<String> {
    val events = ArrayList<String>()
    var data = ArrayList<String>()
    // What stands behind the last line break is no line.
    for (line in stream.split(LINE_END).dropLast(1)) {
        if (line.isEmpty()) {
            if (data.isNotEmpty()) events += data.joinToString("\n")
            data = ArrayList()
        } else if (line.substringBefore(':') == "data") {
            data += line.substringAfter(':', "").removePrefix(" ")
        }
    }
    return events
}

internal const val EVENTS = "/events"

/** Most events of one stream. */
internal const val MAX_EVENTS = 10_000
private const val SOME = 4
private const val PACE_MILLIS = 25
private val PAUSES_MILLIS = listOf(25, 100, 400, 1_600)
private val LINE_END = Regex("\r\n|\n|\r")
