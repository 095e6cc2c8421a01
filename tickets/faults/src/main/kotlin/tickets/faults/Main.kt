package threadgauge.tickets.faults

import java.nio.file.Path
import kotlin.system.exitProcess
import kotlin.time.Duration.Companion.minutes
import kotlin.time.TimeSource

/** `HOME MINUTES [STRATEGY]`: a soak from the project's root; see `benchmarks/tickets-soak/run`. */
fun main(arguments: Array<String>) {
    val minutes = arguments.getOrNull(1)?.toDoubleOrNull()?.takeIf { it > 0 && it <= MOST_MINUTES }
    if (minutes == null) {
        System.err.println("say for how many minutes, up to $MOST_MINUTES: 10")
        exitProcess(EXIT_USAGE)
    }
    val settings = SoakSettings(Path.of(arguments[0]), strategy = arguments.getOrNull(2) ?: "batch", seed = System.nanoTime())
    println("seed ${settings.seed}, ${settings.replicas} services, strategy ${settings.strategy}, ${settings.callers} callers")
    val began = TimeSource.Monotonic.markNow()
    val tally = Soak(settings).use { soak ->
        Runtime.getRuntime().addShutdownHook(Thread { soak.close() })
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
    tally.broken.forEach { println("${it.promise}: ${it.words}") }
    println("${tally.calls} calls, ${tally.kills} kills, ${tally.broken.size} promises broken")
    exitProcess(if (tally.broken.isEmpty()) 0 else 1)
}

private const val MOST_MINUTES = 10_000.0
private const val EXIT_USAGE = 64
