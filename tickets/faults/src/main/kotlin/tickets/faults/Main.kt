package threadgauge.tickets.faults

import java.nio.file.Path
import kotlin.system.exitProcess
import kotlin.time.Duration.Companion.minutes
import kotlin.time.TimeSource

/** `HOME MINUTES [STRATEGY [SECONDS [DATABASE]]]`: a soak from the project's root; see `benchmarks/tickets-soak/run`. */
fun main(arguments: Array<String>) {
    val minutes = arguments.getOrNull(1)?.toDoubleOrNull()?.takeIf { it > 0 && it <= MAX_MINUTES }
    if (minutes == null) {
        System.err.println("say for how many minutes, up to $MAX_MINUTES: 10")
        exitProcess(EXIT_USAGE)
    }
    val pause = arguments.getOrElse(3) { "2.8" }.toDoubleOrNull()?.takeIf { it in MIN_PAUSE_SECONDS..MAX_PAUSE_SECONDS }
    if (pause == null) {
        System.err.println("say how many seconds may go by between two faults, from $MIN_PAUSE_SECONDS to $MAX_PAUSE_SECONDS: 2.8")
        exitProcess(EXIT_USAGE)
    }
    val database = LedgerKind.of(arguments.getOrElse(4) { LedgerKind.POSTGRESQL.word })
    if (database == null) {
        System.err.println("say which database: ${LedgerKind.entries.joinToString(" or ") { it.word }}")
        exitProcess(EXIT_USAGE)
    }
    val settings = SoakSettings(
        Path.of(arguments[0]),
        strategy = arguments.getOrNull(2) ?: "batch",
        database = database,
        seed = System.nanoTime(),
        maxPauseMillis = (pause * 1_000).toLong(),
    )
    println(
        "seed ${settings.seed}, ${settings.replicas} services, strategy ${settings.strategy}, ${database.word}, " +
            "${settings.clients} callers, up to $pause s between two faults",
    )
    val tally = Soak(settings).use { soak ->
        Runtime.getRuntime().addShutdownHook(Thread { soak.close() })
        // Not before everything runs: a slow start must not leave nothing to be judged.
        val began = TimeSource.Monotonic.markNow()
        while (began.elapsedNow() < minutes.minutes) {
            soak.round()
            soak.tally().let { tally ->
                println(
                    "round ${tally.rounds}, ${began.elapsedNow().inWholeSeconds} s: ${tally.calls} calls, ${tally.granted} granted, " +
                        "${tally.unknown} without an answer, ${tally.faults}, ${tally.broken.size} promises broken",
                )
            }
        }
        soak.tally()
    }
    tally.broken.forEach { println("${it.promise}: ${it.description}") }
    println("${tally.calls} calls, ${tally.unknown} of them without an answer, ${tally.kills} kills, ${tally.broken.size} promises broken")
    exitProcess(if (tally.broken.isEmpty()) 0 else 1)
}

private const val MAX_MINUTES = 10_000.0
private const val MIN_PAUSE_SECONDS = 0.5
private const val MAX_PAUSE_SECONDS = 3_600.0
private const val EXIT_USAGE = 64
