package threadgauge.run

import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import threadgauge.model.Auditor
import threadgauge.model.BooksOfSale
import threadgauge.target.Cores
import threadgauge.target.Leash
import threadgauge.target.Target
import threadgauge.target.TargetFailed
import threadgauge.target.pinned
import java.nio.file.Path
import java.time.Duration
import kotlin.io.path.deleteIfExists
import kotlin.io.path.readLines

/**
 * Runs the program that reads the books of a sale, once for each event: on the load agent's cores, after the load, so that it takes nothing
 * from what is measured. [places] are put in for `{name}` in its command. Belongs to the run's thread.
 */
internal class Auditing(
    private val auditor: Auditor,
    private val places: Map<String, String>,
    private val cores: Cores,
    private val log: Path,
    private val cancellation: Cancellation,
) {
    /** Throws [TargetFailed] where the books cannot be read. */
    fun books(event: Long): BooksOfSale {
        log.deleteIfExists()
        val command = Target.filledIn(auditor.command, places + ("event" to "$event"))
        cancellation.using(Leash.start(pinned(command, cores.agent), Path.of(auditor.folder), log)) { leash ->
            if (!leash.awaitEnd(PATIENCE)) throw TargetFailed("the books of event $event were not read in time", log)
            cancellation.check()
            if (leash.exitCode != 0) throw TargetFailed("the books of event $event could not be read", log)
        }
        return try {
            Json.decodeFromString(BooksOfSale.serializer(), log.readLines().last { it.isNotBlank() })
        } catch (_: SerializationException) {
            throw TargetFailed("what was read from the books of event $event makes no sense", log)
        } catch (_: NoSuchElementException) {
            throw TargetFailed("nothing was read from the books of event $event", log)
        }
    }
}

private val PATIENCE = Duration.ofSeconds(120)
