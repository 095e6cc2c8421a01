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
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import threadgauge.contract.HttpContract
import threadgauge.contract.check.Check
import threadgauge.contract.check.protocol.statusOfLargeHeaders
import threadgauge.contract.check.protocol.tellsProblemOfUnread
import threadgauge.contract.testkit.process.ServerProcess
import threadgauge.contract.testkit.process.ShippedStack

/**
 * [StackContract] for a stack of this repository, as a process of its own: name, model and arguments are those of its
 * `stacks.yaml`, so that what is tested is what is shipped. [main] is the fully qualified name of the class with `main`.
 * The plain edition is asked for the plain checks, the fuller one for all, or those of what its places let it serve.
 *
 * Also how the process must start and end, so that the bench is never left with one that neither serves nor goes.
 */
abstract class ShippedStackContract private constructor(
    private val main: String?,
    private val shipped: ShippedStack,
    checks: List<Check>,
    exemptions: Map<String, String>,
) : StackContract(shipped.name, shipped.model, exemptions, checks) {
    constructor(main: String, stack: String, exemptions: Map<String, String> = emptyMap()) :
        this(main, ShippedStack.read(stack), HttpContract.plainChecks, exemptions)

    /** Of a stack that only its framework's own build can start: the test starts the jar, so it has to run after the jar is made. */
    constructor(stack: String) : this(null, ShippedStack.read(stack), HttpContract.plainChecks, emptyMap())

    /** Without [main], the stack's jar is started. */
    constructor(main: String?, stack: ShippedStack, checks: List<Check> = HttpContract.checks) : this(main, stack, checks, emptyMap())

    private val server = ServerProcess(main, shipped)

    /** Where it serves; set before the first test by the thread that runs them. */
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

    /** Whether the stack's engine lets it say what a request is answered with that no handler sees. */
    protected open val answersUnread: Boolean get() = false

    @Test
    fun `a request that no handler sees is answered with a problem document where the engine lets the stack`() =
        assertEquals(answersUnread, visit.tellsProblemOfUnread())

    /** By which status the stack's engine refuses headers of 100 kB; 200 where it has room for them. */
    protected open val largeHeaders: Int get() = 400

    @Test
    fun `headers of 100 kB are answered with the status that is named for the stack`() =
        assertEquals(largeHeaders, visit.statusOfLargeHeaders())

    /** The bench asks so when the compiler is done, and what requests allocate. */
    @Test
    fun `its JVM tells from outside what it does`() {
        val machine = VirtualMachine.attach(server.pid.toString())
        val address = try {
            machine.startLocalManagementAgent()
        } finally {
            machine.detach()
        }
        JMXConnectorFactory.connect(JMXServiceURL(address)).use { connector ->
            val compiled = connector.mBeanServerConnection.getAttribute(ObjectName("java.lang:type=Compilation"), "TotalCompilationTime")
            assertTrue((compiled as Long) > 0, "$compiled ms")
        }
    }

    /** SIGTERM must end it soon, also with a request under way. */
    override fun stop() {
        if (!::base.isInitialized) return server.stop()
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
    val start = System.nanoTime()
    server.stop()
    val seconds = (System.nanoTime() - start) / 1e9
    assertTrue(seconds < SECONDS_MOST, "took $seconds s to end after SIGTERM:\n${server.output}")
}

/** Two are promised; the rest is for a machine that is busy with other tests. */
private const val SECONDS_MOST = 4.0
