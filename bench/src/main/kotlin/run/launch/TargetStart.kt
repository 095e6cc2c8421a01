package threadgauge.run.launch

import java.net.InetAddress
import java.net.UnknownHostException
import java.nio.file.Path
import java.security.SecureRandom
import java.time.Duration
import java.util.HexFormat
import threadgauge.contract.HttpContract
import threadgauge.contract.client.DependencyCounters
import threadgauge.model.Boot
import threadgauge.model.ServiceUrl
import threadgauge.model.Situation
import threadgauge.model.Stack
import threadgauge.model.failure.AnswerFault
import threadgauge.model.failure.TargetFault
import threadgauge.run.Cancellation
import threadgauge.run.OpenTrial
import threadgauge.run.agent.javaProgram
import threadgauge.target.OwnService
import threadgauge.target.RunningService
import threadgauge.target.Target
import threadgauge.target.TargetFailed
import threadgauge.target.isFinal

/**
 * How a target of one kind comes to be ready for its measurements. Making one starts the process, if there is one to
 * start.
 */
internal interface TargetStart {
    val target: Target

    /** As it was really run; empty where nothing was. */
    val command: List<String>

    /** Null where the target ran before. Throws [TargetFailed] when it is not ready in time. */
    fun awaitReady(): Boot?

    /** Puts into [trial] what the target does and is, and throws [TargetFailed] when that is not what it should be. */
    fun verify(trial: OpenTrial)
}

/**
 * A stack that comes with Threadgauge: one that does other work than it should, or is another model than it says, is
 * not measured.
 */
internal class ContractStart(
    private val stack: Stack,
    private val situations: List<Situation>,
    private val variables: Map<String, String>,
    cores: List<Int>,
    log: Path,
) : TargetStart {
    override val target = Target.start(stack, variables + ("java" to javaProgram()), cores, log)

    override val command get() = target.command.without(variables["password"])

    private val access = stack.accessAt(target.port, variables)

    override fun awaitReady(): Boot = target.awaitReady(BOOT_PATIENCE, HELLO, access)

    /** Asks it for what the situations need, and says what it does wrong. */
    fun exercise(): List<String> {
        val paths = situations.mapTo(HashSet()) { it.request.path }
        val counters = DependencyCounters.of(variables)
        return HttpContract.violations(
            access, stack.knownAs ?: stack.name, stack.model.name, paths, counters = counters,
        )
    }

    override fun verify(trial: OpenTrial) {
        val violations = exercise()
        if (violations.isNotEmpty()) {
            // Nobody keeps a contract who has died meanwhile.
            target.awaitDeath()?.let { throw it }
            trial.change { copy(contractViolations = violations) }
            throw TargetFailed(TargetFault.BreaksContract(violations), target.log)
        }
        val runtime = readRuntime(access)
        trial.change { copy(runtime = runtime, boot = boot?.copy(frameworkMillis = runtime.startupMillis)) }
    }
}

/** Passwords are no business of the record. */
internal fun List<String>.without(vararg secrets: String?): List<String> =
    secrets.filterNot { it.isNullOrEmpty() }
        .fold(this) { words, secret -> words.map { it.replace(secret!!, "{secret}") } }

/**
 * A service of the user's own: it is ready with the first correct answer to what the stack says, or to the
 * [situation]'s request.
 */
internal class ServiceStart(
    private val stack: Stack,
    private val situation: Situation,
    cores: List<Int>,
    log: Path,
    /** Where it was found in an earlier start; null before one. */
    private val likelyPort: Int?,
) : TargetStart {
    override val target = OwnService.start(stack, javaProgram(), cores, log)
    override val command get() = target.command

    override fun awaitReady(): Boot = single(stack.untilReady(situation)).use { single ->
        target.awaitReady(likelyPort) { host, port -> single.ask(host, port) }
    }

    override fun verify(trial: OpenTrial) {
        trial.change { copy(ports = target.answers) }
        rememberAnswer(situation, target, trial)
    }
}

/** A service that runs already. */
internal class RunningStart(
    private val stack: Stack,
    private val situation: Situation,
    private val cancellation: Cancellation,
) : TargetStart {
    private val place = checkNotNull(ServiceUrl.of(checkNotNull(stack.url))) { "${stack.url} is no URL" }
    override val target = RunningService(place.host, place.effectivePort)
    override val command = emptyList<String>()

    override fun awaitReady(): Boot? {
        cancellation.using(single(stack.untilReady(situation)), ::askUntilCorrect)
        return null
    }

    /** A server that asks for patience gets some: one status of 429 or 503 is no reason to give it up. */
    private fun askUntilCorrect(single: SingleRequest) {
        val addresses = addressesOf(place.host)
        val end = System.nanoTime() + PATIENCE_NANOS
        while (true) {
            var fault: AnswerFault = AnswerFault.UnknownHost(place.host)
            for (address in addresses) {
                target.address = address
                fault = single.ask(target.host, target.port, address) ?: return
                if (fault != AnswerFault.Refused) break
            }
            val isPassing = fault is AnswerFault.Status && !fault.isFinal
            if (!isPassing || System.nanoTime() > end) {
                throw TargetFailed(TargetFault.WrongAnswer("${stack.url}", fault), null)
            }
            Thread.sleep(PAUSE_MILLIS)
        }
    }

    /** In the order in which the system would try them: `localhost` may be 127.0.0.1, ::1 or both. */
    private fun addressesOf(host: String): List<String> = try {
        InetAddress.getAllByName(host).map { it.hostAddress }
    } catch (_: UnknownHostException) {
        emptyList()
    }

    private companion object {
        const val PATIENCE_NANOS = 5_000_000_000L
        const val PAUSE_MILLIS = 200L
    }

    override fun verify(trial: OpenTrial) = rememberAnswer(situation, target, trial)
}

/** What nobody can guess: 128 bits. */
internal fun newToken(): String = HexFormat.of().formatHex(ByteArray(16).also(SecureRandom()::nextBytes))

/** What it is asked until it is ready. */
private fun Stack.untilReady(situation: Situation) = ready?.let { situation.copy(request = it) } ?: situation

private fun single(situation: Situation) = SingleRequest(situation.request, situation.connections)

private fun rememberAnswer(situation: Situation, target: Target, trial: OpenTrial) {
    val answer = single(situation).use { it.firstAnswer(target.endpoints.first()) }
    trial.change { copy(firstAnswer = answer) }
}

private val HELLO = checkNotNull(HttpContract.expectedBody("/hello")).decodeToString()
private val BOOT_PATIENCE = Duration.ofSeconds(120)
