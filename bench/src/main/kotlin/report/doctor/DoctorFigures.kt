package threadgauge.report.doctor

import threadgauge.model.Checkup
import threadgauge.model.MachineFacts
import threadgauge.model.judgement.Reach
import threadgauge.report.format.NARROW_SPACE
import threadgauge.report.format.count
import threadgauge.report.format.gigabytes
import threadgauge.report.format.number

/** The machine without its host name, because output gets shared. */
internal fun machineWords(machine: MachineFacts): String {
    val memory = gigabytes(machine.memoryBytes).replace(NARROW_SPACE, " ")
    return listOf(machine.cpu, count(machine.cores, "core"), memory, machine.operatingSystem).joinToString()
}

/** The figures of the rounds. */
internal fun speedWords(checkup: Checkup, reach: Reach): List<Pair<String, String>> = buildList {
    val rates = checkup.rounds.map { it.requestsPerSecond }
    if (rates.isEmpty()) return@buildList
    val range = "${number(rates.size)} rounds: ${number(rates.min())} to ${number(rates.max())}"
    add("requests" to "${number(reach.agentPerSecond ?: 0.0)}/s ($range)")
    val cpu = checkup.rounds.map { it.cpuMicrosPerRequest }
    val middle = number(reach.agentCpuMicrosPerRequest ?: 0.0)
    add("CPU" to "$middle µs per request (${number(cpu.min())} to ${number(cpu.max())})")
}

/** A short time in µs or ms, whichever fits. */
internal fun lateness(micros: Double) = if (micros < 1_000) "${number(micros, 0)} µs" else "${number(micros / 1e3)} ms"
