package threadgauge.tickets.faults

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import java.util.Random
import java.util.concurrent.Callable
import java.util.concurrent.CountDownLatch
import java.util.concurrent.ExecutorService
import java.util.concurrent.Executors
import java.util.concurrent.Future
import java.util.concurrent.TimeUnit
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.tickets.history.Call
import threadgauge.tickets.history.ReserveResult
import threadgauge.tickets.rules.IdempotencyKey

/** A service is paused without knowing it, and all of its leases have expired when it resumes. */
@Tag("processes")
class ExpiredLeasesTest {
    /** A sale by one strategy: one service is paused during a grant, and another one sells meanwhile. */
    private class Sale(private val scenario: FaultScenario, private val strategy: String) {
        private val paused = scenario.service(strategy)
        private val event by lazy { paused.open(CAPACITY) }
        private val late by lazy { TicketClient(listOf(paused.url), event, Random(0)) }

        /** Started later, because otherwise it could take the request from the queue. */
        private val other by lazy { scenario.service(strategy) }
        private val sellers by lazy { List(SELLERS) { TicketClient(listOf(other.url), event, Random(1L + it)) } }
        private val mayResume = CountDownLatch(1)
        private lateinit var answers: List<Future<*>>

        /**
         * Returns when it is paused: with the lock or a request from the queue, before the grant reaches the ledger.
         */
        fun pause(threads: ExecutorService) {
            paused.awaitReady()
            val isPaused = CountDownLatch(1)
            val held = scenario.proxy.inject(ProtocolStep.GRANT_REQUESTED, FaultProxy.Fault.HELD_THEN_FORWARDED) {
                paused.pause()
                isPaused.countDown()
                mayResume.await()
            }
            val client = late
            answers = listOf(threads.submit(Callable { client.reserveOnce(lateKey) }), held)
            check(isPaused.await(MAX_WAIT_MINUTES, TimeUnit.MINUTES)) { "$strategy did not request a grant" }
        }

        fun startAnother() {
            other
        }

        fun sellOut(threads: ExecutorService): List<Future<*>> = sellers.mapIndexed { number, seller ->
            threads.submit {
                other.awaitReady()
                var requests = 0
                fun reserve() = seller.reserveOnce(IdempotencyKey.of("$event-seller-$number-${requests++}")!!)
                while (reserve() != ReserveResult.SoldOut) continue
            }
        }

        fun resume() {
            paused.resume()
            mayResume.countDown()
            answers.forEach { it.await() }
        }

        fun check() = withClue(strategy) {
            // On a busy machine an answer may come after its client has given up: the seat is sold all the same.
            (sellers + late).forEach { it.retryUnresolved() }
            val again = TicketClient(listOf(other.url), event, Random(0)).also { it.reserveOnce(lateKey) }
            val results = sellers.flatMap { it.calls }.map { (it as Call.Reserve).result }
            results.filterIsInstance<ReserveResult.Granted>().map { it.reservation }.distinct().size shouldBe CAPACITY
            scenario.broken(event, CAPACITY, sellers + late + again).shouldBeEmpty()
            scenario.database.entries(event).size shouldBe CAPACITY
        }

        private val lateKey get() = IdempotencyKey.of("$event-late")!!
    }

    @Test
    fun `a service paused beyond every lease, while another sells all seats, sells nothing when it resumes`() {
        FaultScenario().use { scenario ->
            val sales = listOf("batch", "redis-lock", "queue").map { Sale(scenario, it) }
            Executors.newVirtualThreadPerTaskExecutor().use { threads ->
                sales.forEach { it.pause(threads) }
                val pausedAt = System.nanoTime()
                sales.forEach { it.startAnother() }
                // Ends when all seats are sold, so while the first services are paused.
                sales.flatMap { it.sellOut(threads) }.forEach { it.await() }
                val left = PAUSE_MILLIS - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - pausedAt)
                if (left > 0) Thread.sleep(left)
                sales.forEach { it.resume() }
            }
            sales.forEach { it.check() }
        }
    }

    private companion object {
        const val CAPACITY = 20
        const val SELLERS = 4

        /**
         * Redisson's lease is ten seconds. A request taken from the queue is claimed after fifteen, checked every five.
         * The database driver times out after ten, and the pool after two.
         */
        const val PAUSE_MILLIS = 21_000L
    }
}
