package threadgauge.serve

import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.Socket
import java.nio.file.Path
import threadgauge.judge.recordOf
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.model.Trial
import threadgauge.model.TrialState
import threadgauge.store.RecordFolder

/** A run of two stacks in the folder of this name, in [place]. Its figures are invented. */
internal fun runIn(place: Path, name: String, day: Int = 1, edit: (Record) -> Record = { it }): RecordFolder {
    val record = recordOf(mapOf("first" to listOf(1_000.0, 1_010.0, 1_005.0), "second" to listOf(900.0, 905.0, 910.0)))
        .copy(id = name, startedAt = "2026-01-%02dT10:00:00Z".format(day))
    return RecordFolder(place.resolve(name)).create().also { it.write(edit(record)) }
}

internal fun Record.named(experiment: String, question: String = "Which?", savedAs: String? = null): Record =
    copy(plan = plan.copy(savedAs = savedAs, experiment = plan.experiment.copy(name = experiment, question = question)))

/** As it was after so many of its trials, with the next one under way. */
internal fun Record.underWay(measured: Int): Record {
    val next = trials.getOrNull(measured)
        ?.let { Trial(it.stack, it.number, TrialState.RUNNING, command = it.command, log = it.log) }
    return copy(state = RunState.RUNNING, endedAt = null, trials = trials.take(measured) + listOfNotNull(next))
}

internal fun serverOf(place: Path, access: Access = loopback()): RunServer =
    RunServer.start(place, InetSocketAddress(InetAddress.getLoopbackAddress(), 0), access) { throw AssertionError(it) }

internal fun loopback(): Access = Access.of(InetAddress.getLoopbackAddress(), "127.0.0.1")

/** Byte by byte what a client sends and gets, because Java's own client refuses to send wrong names of hosts. */
internal class Answer(private val text: String) {
    val status: Int = text.substringAfter(' ').substringBefore(' ').toInt()
    val body: String get() = text.substringAfter("\r\n\r\n")

    fun header(name: String): String? = text.substringBefore("\r\n\r\n").lines()
        .firstOrNull { it.startsWith("$name:", ignoreCase = true) }?.substringAfter(':')?.trim()
}

internal fun RunServer.get(
    path: String,
    host: String? = "127.0.0.1:$port",
    method: String = "GET",
    headers: Map<String, String> = emptyMap(),
): Answer = Socket(InetAddress.getLoopbackAddress(), port).use { socket ->
    socket.soTimeout = 60_000
    val lines = listOf("$method $path HTTP/1.1") + listOfNotNull(host?.let { "Host: $it" }) +
        headers.map { (name, value) -> "$name: $value" } + "Connection: close"
    socket.getOutputStream().write((lines.joinToString("\r\n") + "\r\n\r\n").toByteArray())
    Answer(socket.getInputStream().readAllBytes().decodeToString())
}
