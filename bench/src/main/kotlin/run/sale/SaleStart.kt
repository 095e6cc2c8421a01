package threadgauge.run.sale

import java.net.URI
import java.nio.file.Path
import java.time.Duration
import kotlin.io.path.nameWithoutExtension
import threadgauge.model.Boot
import threadgauge.model.Stack
import threadgauge.run.Cancellation
import threadgauge.run.OpenTrial
import threadgauge.run.agent.javaProgram
import threadgauge.run.launch.TargetStart
import threadgauge.run.launch.newToken
import threadgauge.run.launch.without
import threadgauge.target.Cores
import threadgauge.target.Replicas
import threadgauge.target.Target
import threadgauge.target.TargetFailed

/** A stack that sells seats: one that does not do what a sale must is not measured. */
internal class SaleStart(
    private val stack: Stack,
    variables: Map<String, String>,
    cores: Cores,
    log: Path,
    auditLog: Path,
    cancellation: Cancellation,
) : TargetStart {
    private val token = newToken()
    private val variables = variables + mapOf("java" to javaProgram(), "token" to token)
    override val target: Replicas = Replicas.start(stack.replicas) { number ->
        Target.start(stack, this.variables, cores.target, logOf(number, log))
    }

    /** Its events, opened by way of the first process; what all of them sell is in the same books. */
    val sales = SaleEvents(
        SaleClient(URI("http://127.0.0.1:${target.port}"), token),
        SaleAuditor(checkNotNull(stack.auditor), this.variables, cores, auditLog, cancellation), log,
    )

    override val command get() = target.command.without(variables["password"], token)

    override fun awaitReady(): Boot =
        target.awaitReady(PATIENCE_FOR_EACH.multipliedBy(stack.replicas.toLong()), "say that it is ready") { place ->
            SaleClient(URI("http://${place.host}:${place.port}"), token).isReady()
        }

    override fun verify(trial: OpenTrial) {
        val violations = sales.violations()
        if (violations.isEmpty()) return
        trial.change { copy(contractViolations = violations) }
        throw TargetFailed("it breaks the contract of a sale: " + violations.joinToString("; "), target.log)
    }

    /** The first writes to [log], the others beside it. */
    private fun logOf(number: Int, log: Path) =
        if (number == 0) log else log.resolveSibling("${log.nameWithoutExtension}-replica-${number + 1}.log")
}

/** They start on the same cores. */
private val PATIENCE_FOR_EACH = Duration.ofSeconds(120)
