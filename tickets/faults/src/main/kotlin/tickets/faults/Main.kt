package threadgauge.tickets.faults

import java.nio.file.Path
import kotlin.system.exitProcess
import kotlin.time.Duration.Companion.minutes
import kotlin.time.TimeSource

/**
 * `HOME MINUTES [STRATEGY [SECONDS [DATABASE]]]`: a soak from the project's root; see `benchmarks/tickets-soak/run`.
 */
fun main(arguments: Array<String>) {
    val minutes = arguments.getOrNull(1)?.toDoubleOrNull()?.takeIf { it > 0 && it <= MAX_MINUTES }
        ?: exitUsage("MINUTES must be a duration in minutes, up to $MAX_MINUTES, such as 10")
    val pause = arguments.getOrElse(3) { "2.8" }.toDoubleOrNull()
        ?.takeIf { it in MIN_PAUSE_SECONDS..MAX_PAUSE_SECONDS }
        ?: exitUsage(
            "SECONDS must be the maximum pause between two faults, " +
                "from $MIN_PAUSE_SECONDS to $MAX_PAUSE_SECONDS seconds, such as 2.8",
        )
    val database = LedgerKind.of(arguments.getOrElse(4) { LedgerKind.POSTGRESQL.option })
        ?: exitUsage("DATABASE must be ${LedgerKind.entries.joinToString(" or ") { it.option }}")
    val settings = SoakSettings(
        Path.of(arguments[0]),
        strategy = arguments.getOrNull(2) ?: "batch",
        database = database,
        seed = System.nanoTime(),
        maxPauseMillis = (pause * 1_000).toLong(),
    )
    println(
        "seed ${settings.seed}, ${settings.replicas} services, strategy ${settings.strategy}, ${database.option}, " +
            "${settings.clients} clients, up to $pause s between two faults",
    )
    val tally = Soak(settings).use { soak ->
        Runtime.getRuntime().addShutdownHook(Thread { soak.close() })
        // Counted from when everything runs, so that a slow start does not leave too little to check.
        val began = TimeSource.Monotonic.markNow()
        while (began.elapsedNow() < minutes.minutes) {
            soak.round()
            println(progress(soak.tally(), began.elapsedNow().inWholeSeconds))
        }
        soak.tally()
    }
    tally.broken.forEach { println("${it.promise}: ${it.description}") }
    println(
        "${tally.calls} calls, ${tally.unknown} of them without an answer, ${tally.kills} kills, " +
            "${tally.broken.size} promises broken",
    )
    exitProcess(if (tally.broken.isEmpty()) 0 else 1)
}

private fun progress(tally: SoakTally, seconds: Long) =
    "round ${tally.rounds}, $seconds s: ${tally.calls} calls, ${tally.granted} granted, " +
        "${tally.unknown} without an answer, ${tally.faults}, ${tally.broken.size} promises broken"

private fun exitUsage(message: String): Nothing {
    System.err.println(message)
    exitProcess(EXIT_USAGE)
}

private const val MAX_MINUTES = 10_000.0
private const val MIN_PAUSE_SECONDS = 0.5
private const val MAX_PAUSE_SECONDS = 3_600.0
private const val EXIT_USAGE = 64
