package threadgauge.tickets.faults

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.tickets.history.Call
import threadgauge.tickets.history.ReserveResult
import threadgauge.tickets.rules.IdempotencyKey
import java.util.Random
import java.util.concurrent.Callable
import java.util.concurrent.CountDownLatch
import java.util.concurrent.ExecutorService
import java.util.concurrent.Executors
import java.util.concurrent.Future
import java.util.concurrent.TimeUnit

/** A service stands still and does not know it: whatever it had for a time is over when it goes on. */
@Tag("processes")
class ExpiredLeasesTest {
    /** Of one strategy: a service that stands still in the middle of a grant, and one that sells meanwhile. All sales have one proxy. */
    private class Sale(private val scenario: FaultScenario, private val strategy: String) {
        private val paused = scenario.service(strategy)
        private val event by lazy { paused.open(CAPACITY) }
        private val late by lazy { TicketClient(listOf(paused.url), event, Random(0)) }

        /** It comes later, or it could be the one that takes the ask out of the queue. */
        private val other by lazy { scenario.service(strategy) }
        private val sellers by lazy { List(SELLERS) { TicketClient(listOf(other.url), event, Random(1L + it)) } }
        private val mayGoOn = CountDownLatch(1)
        private lateinit var answers: List<Future<*>>

        /** Returns when it stands still: with a lock in its hand, or an ask out of the queue, and before its books hear of it. */
        fun stop(threads: ExecutorService) {
            paused.awaitReady()
            val stands = CountDownLatch(1)
            val held = scenario.proxy.inject(ProtocolStep.GRANT_REQUESTED, FaultProxy.Fault.HELD_THEN_FORWARDED) {
                paused.stop()
                stands.countDown()
                mayGoOn.await()
            }
            val client = late
            answers = listOf(threads.submit(Callable { client.reserveOnce(lateKey) }), held)
            check(stands.await(MAX_WAIT_MINUTES, TimeUnit.MINUTES)) { "$strategy has asked for nothing" }
        }

        fun startAnother() {
            other
        }

        fun sellOut(threads: ExecutorService): List<Future<*>> = sellers.mapIndexed { number, seller ->
            threads.submit {
                other.awaitReady()
                var asked = 0
                while (seller.reserveOnce(IdempotencyKey.of("$event-seller-$number-${asked++}")!!) != ReserveResult.SoldOut) continue
            }
        }

        fun resume() {
            paused.resume()
            mayGoOn.countDown()
            answers.forEach { it.await() }
        }

        fun judge() = withClue(strategy) {
            late.retryUnresolved()
            val again = TicketClient(listOf(other.url), event, Random(0)).also { it.reserveOnce(lateKey) }
            sellers.flatMap { it.calls }.count { (it as Call.Reserve).result is ReserveResult.Granted } shouldBe CAPACITY
            scenario.broken(event, CAPACITY, sellers + late + again).shouldBeEmpty()
            scenario.database.entries(event).size shouldBe CAPACITY
        }

        private val lateKey get() = IdempotencyKey.of("$event-late")!!
    }

    @Test
    fun `a service that stands still beyond every lease, while another sells all there is, sells nothing when it goes on`() {
        FaultScenario().use { scenario ->
            val sales = listOf("batch", "redis-lock", "queue").map { Sale(scenario, it) }
            Executors.newVirtualThreadPerTaskExecutor().use { threads ->
                sales.forEach { it.stop(threads) }
                val paused = System.nanoTime()
                sales.forEach { it.startAnother() }
                // Ends when everything is sold, so while the first ones stand still.
                sales.flatMap { it.sellOut(threads) }.forEach { it.await() }
                val left = BEYOND_MILLIS - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - paused)
                if (left > 0) Thread.sleep(left)
                sales.forEach { it.resume() }
            }
            sales.forEach { it.judge() }
        }
    }

    private companion object {
        const val CAPACITY = 20
        const val SELLERS = 4

        /**
         * Redisson's lock lasts ten seconds; what was taken from the queue is another's after fifteen, for which is looked every five; the
         * driver of the database waits for ten, and the pool for two.
         */
        const val BEYOND_MILLIS = 21_000L
    }
}
