package threadgauge.tickets.faults

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.TestFactory
import org.junit.jupiter.api.TestInstance
import threadgauge.tickets.faults.FaultProxy.Fault
import threadgauge.tickets.history.LedgerEntry
import java.net.URI

/** `kill -9` at each step of a batch. The soak comes upon all of them, though it cannot tell which it has come upon. */
@Tag("processes")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BatchStepsTest {
    private enum class Step(val words: String, val step: ProtocolStep, val fault: Fault, val isInBooks: Boolean?) {
        REQUESTED("before the batch is with the database", ProtocolStep.GRANT_REQUESTED, Fault.DROPPED, false),

        /** Somebody else has the event's row until then, so it is not done too soon. */
        CARRIED_OUT("while the database carries the batch out", ProtocolStep.GRANT_REQUESTED, Fault.FORWARDED_THEN_CUT, false),
        GRANTED("before the commit is with the database", ProtocolStep.COMMIT_REQUESTED, Fault.DROPPED, false),

        /** Whether it comes before or after, nobody can know. A service that dies then is to the database as one that dies later. */
        COMMITTING("while the database commits", ProtocolStep.COMMIT_REQUESTED, Fault.FORWARDED_THEN_CUT, null),
        COMMITTED("after the commit, before the service hears of it", ProtocolStep.COMMITTED, Fault.DROPPED, true),
        HEARD("after the service has heard of it, before the first caller has", ProtocolStep.RESPONSE_SENT, Fault.DROPPED, true),
    }

    private val scenario = FaultScenario()
    private val database = scenario.database
    private val service = scenario.service("batch").also { it.awaitReady() }
    private val clientProxy = scenario.clientProxy(service)

    @AfterAll
    fun stop() = scenario.close()

    @TestFactory
    fun `a service that is killed with -9 at a step of its batch breaks no promise`(): List<DynamicTest> =
        (Step.entries - Step.COMMITTING).map { step ->
            dynamicTest(step.words) {
                sell(step) { event ->
                    service.kill()
                    database.entries(event)
                }
            }
        }

    @TestFactory
    fun `a database that is killed with -9 at a step of a batch breaks no promise`(): List<DynamicTest> =
        (Step.entries - Step.HEARD).map { step ->
            dynamicTest(step.words) {
                sell(step) { event ->
                    // Or it would have tried again before the books were looked at.
                    service.stop()
                    try {
                        database.kill()
                        database.entries(event)
                    } finally {
                        service.resume()
                    }
                }
            }
        }

    /** [kill] tells what was in the books then. */
    private fun sell(step: Step, kill: (event: Long) -> List<LedgerEntry>) {
        val proxy = if (step == Step.HEARD) clientProxy else scenario.proxy
        val before = proxy.done[step.step.words] ?: 0
        val crowd = Crowd(scenario, service, CAPACITY, CLIENTS, URI("http://127.0.0.1:${clientProxy.port}"))
        val event = crowd.event
        var found: List<LedgerEntry>? = null
        fun sellAndKill() {
            val struck = proxy.inject(step.step, step.fault) {
                if (step == Step.CARRIED_OUT) await("who waits for the row") { Unit.takeIf { database.isWaitedFor() } }
                found = kill(event)
            }
            crowd.askOnce { struck.await() }
        }
        if (step == Step.CARRIED_OUT) database.locking(event, ::sellAndKill) else sellAndKill()

        proxy.done[step.step.words] shouldBe before + 1
        withClue("in the books at that step") {
            when (step.isInBooks) {
                true -> found!!.shouldNotBeEmpty()
                false -> found!!.shouldBeEmpty()
                null -> {}
            }
        }
        service.awaitReady()
        crowd.judge()
        crowd.sellOut()
    }

    /** Of PostgreSQL, as everything here. */
    private fun LedgerDatabase.isWaitedFor(): Boolean = asked { connection ->
        connection.createStatement().use { statement ->
            statement.executeQuery("select 1 from pg_stat_activity where wait_event_type = 'Lock'").use { it.next() }
        }
    }

    private companion object {
        const val CAPACITY = 10
        const val CLIENTS = 12
    }
}
