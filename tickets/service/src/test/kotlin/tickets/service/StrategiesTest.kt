package threadgauge.tickets.service

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.micrometer.core.instrument.simple.SimpleMeterRegistry
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import threadgauge.tickets.history.Call
import threadgauge.tickets.history.History
import threadgauge.tickets.history.Promise
import threadgauge.tickets.history.ReserveResult
import threadgauge.tickets.history.brokenPromises
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.sale.Strategy
import threadgauge.tickets.service.memory.SharedMemory
import threadgauge.tickets.service.store.PostgresStore
import threadgauge.tickets.service.store.UnusableBooks
import threadgauge.tickets.service.store.openPool
import kotlin.time.Duration.Companion.minutes

/** Every strategy on real stores, with more callers than seats, all of whom ask twice: what it promises, and what the naive one breaks. */
@Tag("processes")
class StrategiesTest {
    private val store = PostgresStore(pool, Dispatchers.IO)

    @TestFactory
    fun `every sound strategy keeps its promises`(): List<DynamicTest> =
        (Strategies.ALL - Strategies.NAIVE).map { name ->
            dynamicTest(name) {
                runBlocking {
                    val history = sale(strategy(name))
                    brokenPromises(history).shouldBeEmpty()
                    withClue("all seats are gone") { history.entries.sumOf { it.seats } shouldBe SEATS }
                    history.calls.count { (it as Call.Reserve).result == ReserveResult.SoldOut } shouldBe 2 * (CALLERS - SEATS)
                }
            }
        }

    @Test
    fun `the naive strategy oversells, and is found to`() = runBlocking<Unit> {
        brokenPromises(sale(strategy(Strategies.NAIVE))).map { it.promise } shouldContain Promise.NO_OVERSELL
    }

    @TestFactory
    fun `seats that come back, and holds that are over, are sold again`(): List<DynamicTest> =
        (Strategies.ALL - Strategies.NAIVE).map { name ->
            dynamicTest(name) {
                runBlocking {
                    val strategy = strategy(name)
                    val event = store.open(name, 1, 10.minutes)
                    val first = (strategy.reserve(ask(event, "a")) as Answer.Granted).reservation
                    strategy.reserve(ask(event, "b")) shouldBe Answer.TooFewSeats(0)
                    store.release(first.id)
                    val second = (strategy.reserve(ask(event, "c")) as Answer.Granted).reservation
                    pool.execute("update reservation set expires_at = clock_timestamp() where id = '${second.id}'")
                    (strategy.reserve(ask(event, "d")) as Answer.Granted).isRepeat shouldBe false
                    strategy.reserve(ask(event, "d")).let { (it as Answer.Granted).isRepeat shouldBe true }
                    strategy.reserve(ask(event, "d", seats = 2)) shouldBe Answer.KeyTaken
                    strategy.drain()
                }
            }
        }

    @Test
    fun `a strategy that is not there, or lacks what it needs, is refused with what to do`() {
        shouldThrow<UnusableBooks> { strategy("luck") }.remedy shouldContain "one of batch, sql-row"
        shouldThrow<UnusableBooks> { Strategies(settings("redis-lua")).strategy(store, metrics("redis-lua"), SharedMemory(null)) }
            .remedy shouldContain "tickets.redis"
    }

    private suspend fun sale(strategy: Strategy): History =
        Race(pool).run(store.open("sale", SEATS, 10.minutes), SEATS, CALLERS, strategy)

    private fun strategy(name: String) = Strategies(settings(name)).strategy(store, metrics(name), memory)

    private fun metrics(name: String) = SaleMetrics(SimpleMeterRegistry(), settings(name))

    private fun settings(name: String) = Settings(Settings.Database("", "", ""), strategy = name, redis = "")

    companion object {
        private const val SEATS = 60
        private const val CALLERS = 150
        private val pool by lazy { openPool(TestPostgres.address) }
        private val memory by lazy { SharedMemory(TestRedis.address) }

        @JvmStatic
        @AfterAll
        fun close() = listOf(memory, pool).forEach { it.close() }
    }
}
