package threadgauge.run.sale

import java.net.URI
import java.nio.file.Path
import java.time.Duration
import kotlin.io.path.nameWithoutExtension
import threadgauge.model.Boot
import threadgauge.model.Stack
import threadgauge.model.failure.ReadyStep
import threadgauge.model.failure.TargetFault
import threadgauge.run.OpenTrial
import threadgauge.run.RunContext
import threadgauge.run.agent.javaProgram
import threadgauge.run.launch.TargetStart
import threadgauge.run.launch.newToken
import threadgauge.run.launch.without
import threadgauge.target.Replicas
import threadgauge.target.Target
import threadgauge.target.TargetFailed

/** Starts a stack that sells seats. It is not measured if it breaks the rules of a sale. */
internal class SaleStart(
    private val stack: Stack,
    variables: Map<String, String>,
    context: RunContext,
    log: Path,
) : TargetStart {
    private val token = newToken()
    private val variables = variables + mapOf("java" to javaProgram(), "token" to token)
    override val target: Replicas = Replicas.start(stack.replicas) { number ->
        Target.start(stack, this.variables, context.cores.target, logOf(number, log))
    }

    /** Opens events through the first replica; all replicas share one ledger. */
    val sales = SaleEvents(
        SaleClient(URI("http://127.0.0.1:${target.port}"), token),
        SaleAuditor(
            checkNotNull(stack.auditor), this.variables, context.cores, context.folder.logs.resolve("audit.log"),
            context.cancellation,
        ),
        log,
    )

    override val command get() = target.command.without(variables["password"], token)

    override fun awaitReady(): Boot =
        target.awaitReady(PATIENCE_FOR_EACH.multipliedBy(stack.replicas.toLong()), ReadyStep.SAY_READY) { place ->
            SaleClient(URI("http://${place.host}:${place.port}"), token).isReady()
        }

    override fun verify(trial: OpenTrial) {
        val violations = sales.violations()
        if (violations.isEmpty()) return
        throw TargetFailed(TargetFault.BreaksSale(violations), target.log)
    }

    /** The first replica writes to [log], the others to files beside it. */
    private fun logOf(number: Int, log: Path) =
        if (number == 0) log else log.resolveSibling("${log.nameWithoutExtension}-replica-${number + 1}.log")
}

/** For each replica, because they start on the same cores. */
private val PATIENCE_FOR_EACH = Duration.ofSeconds(120)
