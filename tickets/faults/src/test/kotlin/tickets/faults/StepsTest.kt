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
import threadgauge.tickets.faults.Proxy.Fate
import threadgauge.tickets.history.Entry
import java.net.URI

/** `kill -9` at each step of a batch. The soak comes upon all of them, though it cannot tell which it has come upon. */
@Tag("processes")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StepsTest {
    private enum class Step(val words: String, val moment: Moment, val fate: Fate, val isInBooks: Boolean?) {
        ASKED("before the batch is with the database", Moment.GRANT_ASKED, Fate.LOST, false),

        /** Somebody else has the event's row until then, so it is not done too soon. */
        CARRIED_OUT("while the database carries the batch out", Moment.GRANT_ASKED, Fate.PASSED_FIRST, false),
        GRANTED("before the commit is with the database", Moment.COMMIT_ASKED, Fate.LOST, false),

        /** Whether it comes before or after, nobody can know. A service that dies then is to the database as one that dies later. */
        COMMITTING("while the database commits", Moment.COMMIT_ASKED, Fate.PASSED_FIRST, null),
        COMMITTED("after the commit, before the service hears of it", Moment.COMMITTED, Fate.LOST, true),
        HEARD("after the service has heard of it, before the first caller has", Moment.TOLD, Fate.LOST, true),
    }

    private val stage = Stage()
    private val books = stage.books
    private val service = stage.service("batch").also { it.awaitReady() }
    private val door = stage.door(service)

    @AfterAll
    fun stop() = stage.close()

    @TestFactory
    fun `a service that is killed with -9 at a step of its batch breaks no promise`(): List<DynamicTest> =
        (Step.entries - Step.COMMITTING).map { step ->
            dynamicTest(step.words) {
                sell(step) { event ->
                    service.kill()
                    books.entries(event)
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
                        books.kill()
                        books.entries(event)
                    } finally {
                        service.goOn()
                    }
                }
            }
        }

    /** [kill] tells what was in the books then. */
    private fun sell(step: Step, kill: (event: Long) -> List<Entry>) {
        val proxy = if (step == Step.HEARD) door else stage.proxy
        val before = proxy.done[step.moment.words] ?: 0
        val crowd = Crowd(stage, service, CAPACITY, CALLERS, URI("http://127.0.0.1:${door.port}"))
        val event = crowd.event
        var found: List<Entry>? = null
        fun sellAndKill() {
            val struck = proxy.at(step.moment, step.fate) {
                if (step == Step.CARRIED_OUT) await("who waits for the row") { Unit.takeIf { books.isWaitedFor() } }
                found = kill(event)
            }
            crowd.askOnce { struck.await() }
        }
        if (step == Step.CARRIED_OUT) books.locking(event, ::sellAndKill) else sellAndKill()

        proxy.done[step.moment.words] shouldBe before + 1
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
    private fun Books.isWaitedFor(): Boolean = asked { connection ->
        connection.createStatement().use { statement ->
            statement.executeQuery("select 1 from pg_stat_activity where wait_event_type = 'Lock'").use { it.next() }
        }
    }

    private companion object {
        const val CAPACITY = 10
        const val CALLERS = 12
    }
}
