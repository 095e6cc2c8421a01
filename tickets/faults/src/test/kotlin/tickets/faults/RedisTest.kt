package threadgauge.tickets.faults

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.TestFactory
import org.junit.jupiter.api.TestInstance
import threadgauge.tickets.history.Call
import threadgauge.tickets.history.ReserveResult
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.ReservationState
import java.util.Random

/**
 * Redis comes back as it was some time ago, from a copy or in the place of another that had died; or services are cut off from it, or die,
 * just before it hears of something and just after.
 */
@Tag("processes")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisTest {
    private val scenario = FaultScenario()
    private val services = listOf("redis-lua", "redis-lock", "queue").associateWith { scenario.service(it) }

    @AfterAll
    fun stop() = scenario.close()

    @TestFactory
    fun `a Redis that comes back as it was before costs no seat, and sells none twice`(): List<DynamicTest> =
        services.map { (strategy, service) -> dynamicTest(strategy) { sell(service) } }

    @TestFactory
    fun `a service that is cut off from Redis, or killed, around an order to it breaks no promise`(): List<DynamicTest> =
        services.flatMap { (strategy, service) ->
            listOf(
                dynamicTest("$strategy, cut off before the order") { order(service, ProtocolStep.COMMAND_SENT) {} },
                dynamicTest("$strategy, cut off after the order") { order(service, ProtocolStep.COMMAND_DONE) {} },
                // Such as between the script that counts seats down and the reservation in the books.
                dynamicTest("$strategy, killed after the order") { order(service, ProtocolStep.COMMAND_DONE) { service.kill() } },
            )
        }

    /** Everything that is for sale is sold in the end: what Redis counted down for a caller who got nothing is not lost. */
    private fun order(service: Replica, step: ProtocolStep, act: () -> Unit) {
        service.awaitReady()
        val crowd = Crowd(scenario, service, CAPACITY, CLIENTS)
        val struck = scenario.redisProxy.inject(step, FaultProxy.Fault.DROPPED, act)
        crowd.askOnce { struck.await() }
        service.awaitReady()
        crowd.judge()
        crowd.sellOut()
    }

    private fun sell(service: Replica) {
        service.awaitReady()
        val event = service.open(CAPACITY)
        val client = TicketClient(listOf(service.url), event, Random(0))
        var asked = 0
        fun ask(): ReserveResult {
            client.reserveOnce(IdempotencyKey.of("$event-wish-${asked++}")!!)
            // Until it is there again the answer may be that nobody knows.
            client.retryUnresolved()
            return (client.calls.last() as Call.Reserve).result
        }
        repeat(CAPACITY / 2) { ask() }
        scenario.redis.backUp()
        val later = List(CAPACITY / 2) { ask() as ReserveResult.Granted }
        ask() shouldBe ReserveResult.SoldOut
        scenario.redis.restoreBackup()
        withClue("its count has seats that are sold") { ask() shouldBe ReserveResult.SoldOut }

        scenario.redis.backUp()
        later.forEach { client.end(it.reservation, ReservationState.RELEASED) }
        repeat(later.size - 1) { ask() }
        scenario.redis.restoreBackup()
        withClue("its count has no seats, and there is one") { (ask() is ReserveResult.Granted) shouldBe true }
        ask() shouldBe ReserveResult.SoldOut
        scenario.broken(event, CAPACITY, listOf(client)).shouldBeEmpty()
    }

    private companion object {
        const val CAPACITY = 10
        const val CLIENTS = 12
    }
}
