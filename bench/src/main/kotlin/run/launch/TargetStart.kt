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
import threadgauge.model.Situation
import threadgauge.model.Stack
import threadgauge.model.failure.AnswerFault
import threadgauge.model.failure.TargetFault
import threadgauge.model.request.ServiceUrl
import threadgauge.run.Cancellation
import threadgauge.run.OpenTrial
import threadgauge.run.agent.javaProgram
import threadgauge.target.OwnService
import threadgauge.target.RunningService
import threadgauge.target.Target
import threadgauge.target.TargetFailed
import threadgauge.target.isFinal

/**
 * How a target of one kind is started and checked. The constructor starts the process, if there is one to start. For
 * the run's thread.
 */
internal interface TargetStart {
    val target: Target

    /** The command as it was run, without secrets; empty if nothing was started. */
    val command: List<String>

    /** Waits until the target is ready; null if it was running before. Throws [TargetFailed]. */
    fun awaitReady(): Boot?

    /** Records in [trial] what the target answers and is. Throws [TargetFailed] if it is not what it should be. */
    fun verify(trial: OpenTrial)
}

/**
 * A stack that comes with Threadgauge. It is not measured if it breaks the contract, or is of another concurrency model
 * than it declares.
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

    /** Sends it the contract's requests for its situations, and returns what it does wrong. */
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
            // A process that has ended breaks every rule: report the end instead.
            target.awaitDeath()?.let { throw it }
            trial.change { copy(contractViolations = violations) }
            throw TargetFailed(TargetFault.BreaksContract(violations), target.log)
        }
        val runtime = readRuntime(access)
        trial.change { copy(runtime = runtime, boot = boot?.copy(frameworkMillis = runtime.startupMillis)) }
    }
}

/** These words with [secrets] replaced: passwords must not stand in a record. */
internal fun List<String>.without(vararg secrets: String?): List<String> =
    secrets.filterNot { it.isNullOrEmpty() }
        .fold(this) { words, secret -> words.map { it.replace(secret!!, "{secret}") } }

/**
 * A service of the user's own. It is ready with the first correct answer to its readiness request or, without one, to
 * the request of [situation].
 */
internal class ServiceStart(
    private val stack: Stack,
    private val situation: Situation,
    cores: List<Int>,
    log: Path,
    /** The port on which it was found in an earlier start; null before one. */
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

/** A service that is already running. */
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

    /**
     * Repeats the request while the server is temporarily unavailable: a single 429 or 503 is no reason to give up.
     * Throws [TargetFailed] with any other wrong answer, or after [PATIENCE_NANOS].
     */
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

    /**
     * All addresses of [host], in the order in which the system tries them: `localhost` may be 127.0.0.1, ::1 or both.
     */
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

/** A secret that cannot be guessed: 128 random bits in hex. */
internal fun newToken(): String = HexFormat.of().formatHex(ByteArray(16).also(SecureRandom()::nextBytes))

/** [situation] with the request that shows whether the stack is ready. */
private fun Stack.untilReady(situation: Situation) = ready?.let { situation.copy(request = it) } ?: situation

private fun single(situation: Situation) = SingleRequest(situation.request, situation.connections)

private fun rememberAnswer(situation: Situation, target: Target, trial: OpenTrial) {
    val answer = single(situation).use { it.firstAnswer(target.endpoints.first()) }
    trial.change { copy(firstAnswer = answer) }
}

private val HELLO = checkNotNull(HttpContract.expectedBody("/hello")).decodeToString()
private val BOOT_PATIENCE = Duration.ofSeconds(120)
