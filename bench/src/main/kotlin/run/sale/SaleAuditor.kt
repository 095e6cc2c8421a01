package threadgauge.run.sale

import java.nio.file.Path
import java.time.Duration
import kotlin.io.path.deleteIfExists
import kotlin.io.path.readLines
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import threadgauge.model.Auditor
import threadgauge.model.BooksOfSale
import threadgauge.run.Cancellation
import threadgauge.target.Cores
import threadgauge.target.SupervisedProcess
import threadgauge.target.Target
import threadgauge.target.TargetFailed
import threadgauge.target.pinned

/**
 * Runs the program that reads the books of a sale, once for each load: on the load agent's cores, after the load, so
 * that it takes nothing from what is measured. [variables] are put in for `{name}` in its command. Belongs to the run's
 * thread.
 */
internal class SaleAuditor(
    private val auditor: Auditor,
    private val variables: Map<String, String>,
    private val cores: Cores,
    private val log: Path,
    private val cancellation: Cancellation,
) {
    /** Those of [events], in their order. Throws [TargetFailed] where the books of any cannot be read. */
    fun books(events: List<Long>): List<BooksOfSale> {
        log.deleteIfExists()
        val of = if (events.size == 1) "event ${events.single()}" else "${events.size} events from ${events.first()} on"
        val command = Target.filledIn(auditor.command, variables + ("event" to events.joinToString(",")))
        cancellation.using(
            SupervisedProcess.start(pinned(command, cores.agent), Path.of(auditor.folder), log),
        ) { supervised ->
            if (!supervised.awaitEnd(PATIENCE)) throw TargetFailed("the books of $of were not read in time", log)
            cancellation.check()
            if (supervised.exitCode != 0) throw TargetFailed("the books of $of could not be read", log)
        }
        val read = log.readLines().filter { it.isNotBlank() }.takeLast(events.size)
        return try {
            read.map { Json.decodeFromString(BooksOfSale.serializer(), it) }
        } catch (_: SerializationException) {
            throw TargetFailed("what was read from the books of $of makes no sense", log)
        }.also {
            if (it.isEmpty()) throw TargetFailed("nothing was read from the books of $of", log)
            if (it.size < events.size) {
                throw TargetFailed("${it.size} of ${events.size} lines were read from the books of $of", log)
            }
        }
    }
}

private val PATIENCE = Duration.ofSeconds(120)
