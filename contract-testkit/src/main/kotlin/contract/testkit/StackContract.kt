package threadgauge.contract.testkit

import java.net.URI
import kotlin.time.Duration.Companion.seconds
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.fail
import org.junit.jupiter.api.Assumptions.abort
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import org.junit.jupiter.api.TestInstance
import threadgauge.contract.HttpContract
import threadgauge.contract.check.Check
import threadgauge.contract.check.runtime.recordedHellos
import threadgauge.contract.client.Access
import threadgauge.contract.client.ContractClient

/**
 * [HttpContract] as a test suite, one test for each check. A stack subclasses it once and implements how it starts;
 * the stacks of this repository subclass [ShippedStackContract].
 *
 * @param checks those of all endpoints that the stack serves
 * @param exemptions the sentence of each check that this stack need not pass, and the reason
 */
@Tag("processes")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StackContract(
    private val stack: String,
    private val model: String,
    private val exemptions: Map<String, String> = emptyMap(),
    private val checks: List<Check> = HttpContract.checks,
) {
    /** Set before the first test and closed after the last, by the thread that runs them. */
    internal lateinit var client: ContractClient

    /** Starts the server on a free port. Returns when it accepts connections. */
    abstract fun start(): URI

    abstract fun stop()

    @BeforeAll
    fun startServer() {
        client = ContractClient(Access(start()), stack, model, 30.seconds)
    }

    @AfterAll
    fun stopServer() {
        if (::client.isInitialized) client.close()
        stop()
    }

    @TestFactory
    fun `the contract is kept`(): List<DynamicTest> = checks.map { check ->
        dynamicTest(check.sentence) {
            exemptions[check.sentence]?.let { abort<Unit>("exempted: $it") }
            check.violation(client)?.let { fail<Unit>(it) }
        }
    }

    @Test
    fun `no request is timed, as in the smallest server of each framework`() {
        client.get("/hello").mustHaveStatus(200)
        assertEquals(0, recordedHellos(client.get("/metrics").mustHaveStatus(200).text))
    }

    @Test
    fun `every exemption names a check that exists`() {
        assertEquals(emptySet<String>(), exemptions.keys - checks.map { it.sentence }.toSet())
    }
}
