package threadgauge.contract.testkit

import com.sun.tools.attach.VirtualMachine
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse.BodyHandlers
import java.util.concurrent.TimeUnit
import javax.management.ObjectName
import javax.management.remote.JMXConnectorFactory
import javax.management.remote.JMXServiceURL
import kotlin.time.Duration.Companion.seconds
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import threadgauge.contract.HttpContract
import threadgauge.contract.check.Check
import threadgauge.contract.check.protocol.answersMalformedWithProblem
import threadgauge.contract.check.protocol.statusOfLargeHeaders
import threadgauge.contract.testkit.process.ServerProcess
import threadgauge.contract.testkit.process.ShippedStack

/**
 * [StackContract] for a stack of this repository, in a process of its own: name, model and arguments come from its
 * `stacks.yaml`, so that the tests start what is shipped. [main] is the fully qualified name of the class with `main`.
 * The plain edition must pass the plain checks. The fuller edition must pass all, or those that its variables allow.
 *
 * The tests also cover how the process starts and ends, so that the bench never keeps a process that neither serves nor
 * ends.
 */
abstract class ShippedStackContract private constructor(
    private val main: String?,
    private val shipped: ShippedStack,
    checks: List<Check>,
    exemptions: Map<String, String>,
) : StackContract(shipped.name, shipped.model, exemptions, checks) {
    constructor(main: String, stack: String, exemptions: Map<String, String> = emptyMap()) :
        this(main, ShippedStack.read(stack), HttpContract.plainChecks, exemptions)

    /**
     * For a stack that only its framework's own build can start. The test starts the jar, so it must run after the jar
     * was built.
     */
    constructor(stack: String) : this(null, ShippedStack.read(stack), HttpContract.plainChecks, emptyMap())

    /** Without [main], the stack's jar is started. */
    constructor(main: String?, stack: ShippedStack, checks: List<Check> = HttpContract.checks) :
        this(main, stack, checks, emptyMap())

    private val server = ServerProcess(main, shipped)

    /** Of the server; set before the first test by the thread that runs them. */
    private lateinit var base: URI

    override fun start(): URI = server.start().also { base = it }

    @Test
    fun `a port in use ends the process with an exit code and a line that says so`() {
        val second = ServerProcess(main, shipped)
        try {
            val process = second.launch(base.port)
            assertTrue(process.waitFor(180, TimeUnit.SECONDS), "still running:\n${second.output}")
            assertNotEquals(0, process.exitValue())
            assertTrue("in use" in second.output, second.output)
        } finally {
            second.stop()
        }
    }

    /** Whether the stack's engine lets it choose the body for a request that no handler sees. */
    protected open val answersUnread: Boolean get() = false

    @Test
    fun `a request that no handler sees is answered with a problem document where the engine allows it`() =
        assertEquals(answersUnread, client.answersMalformedWithProblem())

    /** Status with which the stack's engine rejects headers of 100 kB; 200 where it accepts them. */
    protected open val largeHeaders: Int get() = 400

    @Test
    fun `headers of 100 kB are answered with the status that the test of the stack names`() =
        assertEquals(largeHeaders, client.statusOfLargeHeaders())

    /** The bench reads over JMX when the compiler is done, and how much requests allocate. */
    @Test
    fun `its JVM can be observed over JMX`() {
        val machine = VirtualMachine.attach(server.pid.toString())
        val address = try {
            machine.startLocalManagementAgent()
        } finally {
            machine.detach()
        }
        JMXConnectorFactory.connect(JMXServiceURL(address)).use { connector ->
            val compiled = connector.mBeanServerConnection
                .getAttribute(ObjectName("java.lang:type=Compilation"), "TotalCompilationTime")
            assertTrue((compiled as Long) > 0, "$compiled ms")
        }
    }

    /** SIGTERM must end it soon, even with a request in flight. */
    override fun stop() {
        if (!::base.isInitialized) {
            server.stop()
            return
        }
        HttpClient.newHttpClient().use { client ->
            client.sendAsync(HttpRequest.newBuilder(base.resolve("/delay/30000")).build(), BodyHandlers.discarding())
            client.send(HttpRequest.newBuilder(base.resolve("/hello")).build(), BodyHandlers.discarding())
            try {
                mustEndSoon(server)
            } finally {
                client.shutdownNow()
            }
        }
    }
}

internal fun mustEndSoon(server: ServerProcess) {
    // A machine that is busy with other tests is late with starts too.
    val limit = MAX_STOP_SECONDS + 2 * server.startSeconds
    val seconds = server.stop(limit.seconds)
    assertTrue(seconds < limit) {
        val output = server.output
        "took $seconds s of at most $limit s to end after SIGTERM.\n${stopping(output)}\nIts output:\n$output"
    }
}

/** The guide promises two. A server that waits for requests in flight takes ten or more by its framework's default. */
private const val MAX_STOP_SECONDS = 4.0

/** What threads were at that had to do with the end of their process, of the stacks in [output]. */
private fun stopping(output: String): String =
    output.substringAfter("Full thread dump", "").split(Regex("\\R{2,}")).filter(OF_AN_END::containsMatchIn)
        .joinToString("\n\n")

private val OF_AN_END = Regex("(?i)hook|shutdown|\\.(close|stop|destroy|abort)")
