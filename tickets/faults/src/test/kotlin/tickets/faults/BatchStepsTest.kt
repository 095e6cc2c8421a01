package threadgauge.tickets.faults

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import java.net.URI
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.TestFactory
import org.junit.jupiter.api.TestInstance
import threadgauge.tickets.faults.FaultProxy.Fault
import threadgauge.tickets.history.LedgerEntry

/** `kill -9` at each step of a batch. The soak hits all steps as well, but at random. */
@Tag("processes")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BatchStepsTest {
    private enum class Step(
        val description: String,
        val protocolStep: ProtocolStep,
        val fault: Fault,
        /** Whether the batch is in the ledger afterwards; null if that is not determined. */
        val isCommitted: Boolean?,
    ) {
        REQUESTED("before the batch arrives at the database", ProtocolStep.GRANT_REQUESTED, Fault.DROPPED, false),

        /** Another transaction locks the event's row until then, so the batch is not finished too soon. */
        EXECUTING(
            "while the database executes the batch", ProtocolStep.GRANT_REQUESTED, Fault.FORWARDED_THEN_CUT, false,
        ),
        GRANTED("before the commit arrives at the database", ProtocolStep.COMMIT_REQUESTED, Fault.DROPPED, false),

        /** The commit may succeed or not. For the database, a service that dies here looks like one that dies later. */
        COMMITTING("while the database commits", ProtocolStep.COMMIT_REQUESTED, Fault.FORWARDED_THEN_CUT, null),
        COMMITTED("after the commit, before the service learns of it", ProtocolStep.COMMITTED, Fault.DROPPED, true),
        ACKNOWLEDGED("before the first client gets its answer", ProtocolStep.RESPONSE_SENT, Fault.DROPPED, true),
    }

    private val scenario = FaultScenario()
    private val database = scenario.database
    private val service = scenario.service("batch").also { it.awaitReady() }
    private val clientProxy = scenario.clientProxy(service)

    @AfterAll
    fun stop() = scenario.close()

    @TestFactory
    fun `a service killed with -9 at a step of its batch breaks no promise`(): List<DynamicTest> =
        (Step.entries - Step.COMMITTING).map { step ->
            dynamicTest(step.description) {
                sell(step) { event ->
                    service.kill()
                    database.entries(event)
                }
            }
        }

    @TestFactory
    fun `a database killed with -9 at a step of a batch breaks no promise`(): List<DynamicTest> =
        (Step.entries - Step.ACKNOWLEDGED).map { step ->
            dynamicTest(step.description) {
                sell(step) { event ->
                    // Otherwise it would retry before the ledger is read.
                    service.pause()
                    try {
                        database.kill()
                        database.entries(event)
                    } finally {
                        service.resume()
                    }
                }
            }
        }

    /** [kill] returns the ledger's entries after the kill. */
    private fun sell(step: Step, kill: (event: Long) -> List<LedgerEntry>) {
        val proxy = if (step == Step.ACKNOWLEDGED) clientProxy else scenario.proxy
        val before = proxy.done[step.protocolStep.description] ?: 0
        val crowd = Crowd(scenario, service, CAPACITY, CLIENTS, URI("http://127.0.0.1:${clientProxy.port}"))
        val event = crowd.event
        var found: List<LedgerEntry>? = null
        fun sellAndKill() {
            val injected = proxy.inject(step.protocolStep, step.fault) {
                if (step == Step.EXECUTING) await("a wait for the row") { Unit.takeIf { database.hasLockWait() } }
                found = kill(event)
            }
            crowd.reserveOnce { injected.await() }
        }
        if (step == Step.EXECUTING) database.locking(event, ::sellAndKill) else sellAndKill()

        proxy.done[step.protocolStep.description] shouldBe before + 1
        withClue("in the ledger at that step") {
            when (step.isCommitted) {
                true -> found!!.shouldNotBeEmpty()
                false -> found!!.shouldBeEmpty()
                null -> {}
            }
        }
        service.awaitReady()
        crowd.check()
        crowd.sellOut()
    }

    /** Only for PostgreSQL, as everything here. */
    private fun LedgerDatabase.hasLockWait(): Boolean = query { connection ->
        connection.createStatement().use { statement ->
            statement.executeQuery("select 1 from pg_stat_activity where wait_event_type = 'Lock'").use { it.next() }
        }
    }

    private companion object {
        const val CAPACITY = 10
        const val CLIENTS = 12
    }
}
