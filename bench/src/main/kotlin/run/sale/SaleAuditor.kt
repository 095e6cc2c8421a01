package threadgauge.run.sale

import java.nio.file.Path
import java.time.Duration
import kotlin.io.path.deleteIfExists
import kotlin.io.path.readLines
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import threadgauge.model.Auditor
import threadgauge.model.SaleLedger
import threadgauge.model.failure.AuditFault
import threadgauge.model.failure.TargetFault
import threadgauge.run.Cancellation
import threadgauge.target.Cores
import threadgauge.target.SupervisedProcess
import threadgauge.target.Target
import threadgauge.target.TargetFailed
import threadgauge.target.pinned

/**
 * Runs the audit program that reads the ledger of a sale: after each load and on the load agent's cores, so that it
 * does not disturb what is measured. [variables] replace `{name}` in its command. Belongs to the run's thread.
 */
internal class SaleAuditor(
    private val auditor: Auditor,
    private val variables: Map<String, String>,
    private val cores: Cores,
    private val log: Path,
    private val cancellation: Cancellation,
) {
    /**
     * The ledgers of [events], in their order. Throws [TargetFailed] if one of them cannot be read within [PATIENCE].
     */
    fun books(events: List<Long>): List<SaleLedger> {
        log.deleteIfExists()
        fun failed(kind: AuditFault.Kind, read: Int = 0) =
            TargetFailed(TargetFault.NoAudit(AuditFault(kind, events, read)), log)
        val command = Target.filledIn(auditor.command, variables + ("event" to events.joinToString(",")))
        cancellation.using(
            SupervisedProcess.start(pinned(command, cores.agent), Path.of(auditor.folder), log),
        ) { supervised ->
            if (!supervised.awaitEnd(PATIENCE)) throw failed(AuditFault.Kind.NOT_IN_TIME)
            cancellation.check()
            if (supervised.exitCode != 0) throw failed(AuditFault.Kind.NOT_READABLE)
        }
        val read = log.readLines().filter { it.isNotBlank() }.takeLast(events.size)
        return try {
            read.map { Json.decodeFromString(SaleLedger.serializer(), it) }
        } catch (_: SerializationException) {
            throw failed(AuditFault.Kind.NO_SENSE)
        }.also {
            if (it.isEmpty()) throw failed(AuditFault.Kind.NOTHING)
            if (it.size < events.size) throw failed(AuditFault.Kind.TOO_FEW, it.size)
        }
    }
}

private val PATIENCE = Duration.ofSeconds(120)
