package threadgauge.report.doctor

import kotlin.math.floor
import kotlin.math.log10
import kotlin.math.pow
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json
import threadgauge.model.Checkup
import threadgauge.model.MachineFacts
import threadgauge.model.judgement.Diagnosis
import threadgauge.model.judgement.Reach
import threadgauge.report.format.NARROW_SPACE
import threadgauge.report.format.count
import threadgauge.report.format.gigabytes
import threadgauge.report.format.number

/** Which machine this is, without its name: what is printed gets shown around. */
internal fun machineWords(machine: MachineFacts): String =
    listOf(machine.cpu, count(machine.cores, "core"), gigabytes(machine.memoryBytes).replace(NARROW_SPACE, " "), machine.operatingSystem)
        .joinToString()

/** How far measurements can go here: a word for what, and a sentence or two. What cannot be told is left out. */
internal fun reachWords(reach: Reach, rounds: Int): List<Pair<String, String>> = buildList {
    val sound = reach.soundPerSecond
    val most = reach.maxPerSecond
    if (sound != null && most != null && most > 0) {
        val above = "From there to ${about(most)} (70 %) figures carry a doubt, above that they are invalid."
        add("throughput" to "Up to about ${about(sound)} requests per second, 50 % of what the agent reached. $above")
    }
    if (reach.latencies.isNotEmpty()) {
        val each = reach.latencies.map { "from about ${latency(it.fromMicros)} on at ${number(it.ratePerSecond)}/s" }
        add("latency" to each.joinToString(", ").replaceFirstChar { it.uppercase() } + ". The agent's own lateness blurs shorter ones.")
    }
    reach.smallestDifference?.let {
        add("differences" to "From about ${about(it * 100)} % on between two stacks, at best, with ${number(rounds)} trials each. " +
            "Smaller ones hide in the noise.")
    }
    val agent = reach.connectionsOfAgent
    val target = reach.connectionsOfTarget
    val words = listOfNotNull(
        agent?.let { "from one agent up to ${aboutDown(it)}" },
        target?.let { "to one server process up to ${aboutDown(it)}" },
    )
    if (words.isNotEmpty()) add("connections" to words.joinToString(", ").replaceFirstChar { it.uppercase() } + ".")
}

/** The figures of the rounds. */
internal fun speedWords(checkup: Checkup, reach: Reach): List<Pair<String, String>> = buildList {
    val rates = checkup.rounds.map { it.requestsPerSecond }
    if (rates.isEmpty()) return@buildList
    val range = "${number(rates.size)} rounds: ${number(rates.min())} to ${number(rates.max())}"
    add("requests" to "${number(reach.agentPerSecond ?: 0.0)}/s ($range)")
    val cpu = checkup.rounds.map { it.cpuMicrosPerRequest }
    add("CPU" to "${number(reach.agentCpuMicrosPerRequest ?: 0.0)} µs for each request (${number(cpu.min())} to ${number(cpu.max())})")
}

/** The check-up and what it means, for programs. Units are in the names; what is not known is `null` and never left out. */
@Serializable
data class DoctorDocument(
    /** Raised when a reader of an older document would misread a newer one. */
    val schema: Int = 1,
    val checkup: Checkup,
    val diagnosis: Diagnosis,
)

/** One JSON document with a newline at its end, for `doctor --json`. */
fun doctorJson(checkup: Checkup, diagnosis: Diagnosis): String =
    FORMAT.encodeToString(DoctorDocument.serializer(), DoctorDocument(checkup = checkup, diagnosis = diagnosis)) + "\n"

/** A short time in the unit that fits it. */
internal fun lateness(micros: Double) = if (micros < 1_000) "${number(micros, 0)} µs" else "${number(micros / 1e3)} ms"

private fun latency(micros: Double) = if (micros < 1_000) "${about(micros)} µs" else "${about(micros / 1e3)} ms"

/** Two digits: all that a bound of this kind is good for. */
private fun about(value: Double): String {
    if (value <= 0) return "0"
    val magnitude = floor(log10(value)).toInt()
    val step = 10.0.pow(magnitude - 1)
    return number(Math.round(value / step) * step, decimals = maxOf(0, 1 - magnitude))
}

/** A limit that must not be passed is rounded down, to hundreds. */
private fun aboutDown(value: Long) = number(if (value < 1_000) value else value / 100 * 100)

private val FORMAT = Json {
    prettyPrint = true
    encodeDefaults = true
}
