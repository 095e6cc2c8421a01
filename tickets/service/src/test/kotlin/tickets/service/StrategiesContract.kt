package threadgauge.tickets.service

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import io.micrometer.core.instrument.simple.SimpleMeterRegistry
import java.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.AfterEach
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
import threadgauge.tickets.rules.Ending
import threadgauge.tickets.sale.Strategy
import threadgauge.tickets.service.memory.SharedGrid
import threadgauge.tickets.service.memory.SharedRedis
import threadgauge.tickets.service.store.LedgerPool
import threadgauge.tickets.service.store.SqlLedger
import threadgauge.tickets.service.store.openPool

/**
 * Every strategy on the real ledger in [pool], with more clients than seats, each of which sends its request twice.
 * Sound strategies keep all promises, and the naive one breaks them.
 */
abstract class StrategiesContract(private val pool: LedgerPool) {
    private val redis = SharedRedis(TestRedis.address, sale)
    private val grid = SharedGrid(listOf("127.0.0.1"), sale)
    private val sale get() = "${javaClass.simpleName}"

    @AfterEach
    fun disconnect() = listOf(grid, redis).forEach { it.close() }

    private fun store(name: String) = SqlLedger(pool, Dispatchers.IO, Strategies.seatStorageOf(name))

    @TestFactory
    fun `every sound strategy keeps its promises`(): List<DynamicTest> =
        (Strategies.ALL - Strategies.NAIVE).map { name ->
            dynamicTest(name) {
                runBlocking {
                    val history = sale(name)
                    brokenPromises(history).shouldBeEmpty()
                    withClue("all seats are taken") { history.entries.sumOf { it.seats } shouldBe SEATS }
                    history.calls.count { (it as Call.Reserve).result == ReserveResult.SoldOut } shouldBe
                        2 * (CLIENTS - SEATS)
                }
            }
        }

    @Test
    fun `the naive strategy oversells, and this is detected`() = runBlocking<Unit> {
        brokenPromises(sale(Strategies.NAIVE)).map { it.promise } shouldContain Promise.NO_OVERSELL
    }

    @Test
    fun `events of the naive strategy show what was oversold, and its seats can be released`() = runBlocking<Unit> {
        val store = store(Strategies.NAIVE)
        val event = store.open("sale", 2, 10.minutes)
        val taken = List(3) { store.write(request(event, "client-$it")) }
        store.event(event)!!.run { listOf(capacity, remaining, held) shouldBe listOf(2, -1, 3) }
        store.release(taken.first().id).shouldBeInstanceOf<Ending.Changed>()
        store.confirm(taken.last().id).shouldBeInstanceOf<Ending.Changed>()
        store.event(event)!!.run { listOf(remaining, held, confirmed) shouldBe listOf(0, 1, 1) }
        pool.execute("update reservation set expires_at = made_at where event = $event and state = 'HELD'")
        store.event(event)!!.run { listOf(remaining, held, confirmed) shouldBe listOf(1, 0, 1) }
        // Other strategies do not sell its seats again.
        store(Strategies.BATCH).grant(event, listOf(request(event, "sound"))) shouldBe listOf(Answer.NoSuchEvent)
        store(Strategies.ROW).grantRow(request(event, "sound")) shouldBe Answer.NoSuchEvent
    }

    @TestFactory
    fun `released seats and expired holds are sold again`(): List<DynamicTest> =
        (Strategies.ALL - Strategies.NAIVE).map { name ->
            dynamicTest(name) {
                runBlocking {
                    val strategy = strategy(name)
                    val store = store(name)
                    val event = store.open(name, 1, 10.minutes)
                    val first = (strategy.reserve(request(event, "a")) as Answer.Granted).reservation
                    strategy.reserve(request(event, "b")) shouldBe Answer.TooFewSeats(0)
                    store.release(first.id)
                    val second = (strategy.reserve(request(event, "c")) as Answer.Granted).reservation
                    pool.execute("update reservation set expires_at = made_at where id = '${second.id}'")
                    (strategy.reserve(request(event, "d")) as Answer.Granted).isRepeat shouldBe false
                    strategy.reserve(request(event, "d")).let { (it as Answer.Granted).isRepeat shouldBe true }
                    strategy.reserve(request(event, "d", seats = 2)) shouldBe Answer.KeyTaken
                    strategy.drain()
                }
            }
        }

    @Test
    fun `an unknown strategy, or one without its Redis, is rejected with a remedy`() {
        shouldThrow<StartupError> { strategy("luck") }.remedy shouldContain "one of batch, sql-row"
        val none = SharedRedis(null, sale)
        shouldThrow<StartupError> { strategy("redis-lua", none) }.remedy shouldContain "tickets.redis"
    }

    private suspend fun sale(name: String): History =
        Race(pool).run(store(name).open("sale", SEATS, 10.minutes), SEATS, CLIENTS, strategy(name))

    private fun strategy(name: String, redis: SharedRedis = this.redis): Strategy =
        Strategies(settings(name)).strategy(store(name), metrics(name), redis, grid)

    private fun metrics(name: String) = SaleMetrics(SimpleMeterRegistry(), settings(name))

    /** With a timeout that a busy machine does not reach: no request may be rejected. */
    private fun settings(name: String): Settings {
        val queue = Settings.Queue(timeout = Duration.ofMinutes(1))
        return Settings(Settings.Database("", "", ""), strategy = name, redis = "", queue = queue)
    }

    private companion object {
        const val SEATS = 60
        const val CLIENTS = 150
    }
}

@Tag("processes")
class PostgresStrategiesTest : StrategiesContract(POOL) {
    companion object {
        private val POOL by lazy { openPool(TestPostgres.address) }

        @JvmStatic
        @AfterAll
        fun close() = POOL.close()
    }
}

@Tag("processes")
class MariaStrategiesTest : StrategiesContract(POOL) {
    companion object {
        private val POOL by lazy { openPool(TestMaria.address) }

        @JvmStatic
        @AfterAll
        fun close() = POOL.close()
    }
}
