package threadgauge.tickets.faults

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import java.util.Random
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

/**
 * Redis is restored from an older state, as from a backup or by a failover; or services are cut off from it or killed
 * just before or after a command.
 */
@Tag("processes")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisTest {
    private val scenario = FaultScenario()
    private val services = listOf("redis-lua", "redis-lock", "queue").associateWith { scenario.service(it) }

    @AfterAll
    fun stop() = scenario.close()

    @TestFactory
    fun `a Redis restored from an older state loses no seat and sells none twice`(): List<DynamicTest> =
        services.map { (strategy, service) -> dynamicTest(strategy) { sell(service) } }

    @TestFactory
    fun `a service cut off from Redis or killed at a command breaks no promise`(): List<DynamicTest> =
        services.flatMap { (strategy, service) ->
            listOf(
                dynamicTest("$strategy, cut off before the command") { sellAt(service, ProtocolStep.COMMAND_SENT) {} },
                dynamicTest("$strategy, cut off after the command") { sellAt(service, ProtocolStep.COMMAND_DONE) {} },
                // Such as between the script that subtracts seats and the reservation in the ledger.
                dynamicTest("$strategy, killed after the command") {
                    sellAt(service, ProtocolStep.COMMAND_DONE) { service.kill() }
                },
            )
        }

    /** All seats are sold in the end, including those that Redis subtracted for a request that got none. */
    private fun sellAt(service: Replica, step: ProtocolStep, act: () -> Unit) {
        service.awaitReady()
        val crowd = Crowd(scenario, service, CAPACITY, CLIENTS)
        val injected = scenario.redisProxy.inject(step, FaultProxy.Fault.DROPPED, act)
        crowd.reserveOnce { injected.await() }
        service.awaitReady()
        crowd.check()
        crowd.sellOut()
    }

    private fun sell(service: Replica) {
        service.awaitReady()
        val event = service.open(CAPACITY)
        val client = TicketClient(listOf(service.url), event, Random(0))
        var requests = 0
        fun reserve(): ReserveResult {
            client.reserveOnce(IdempotencyKey.of("$event-request-${requests++}")!!)
            // While Redis is down the outcome may be unknown.
            client.retryUnresolved()
            return (client.calls.last() as Call.Reserve).result
        }
        repeat(CAPACITY / 2) { reserve() }
        scenario.redis.backUp()
        val later = List(CAPACITY / 2) { reserve() as ReserveResult.Granted }
        reserve() shouldBe ReserveResult.SoldOut
        scenario.redis.restoreBackup()
        withClue("its count includes sold seats") { reserve() shouldBe ReserveResult.SoldOut }

        scenario.redis.backUp()
        later.forEach { client.end(it.reservation, ReservationState.RELEASED) }
        repeat(later.size - 1) { reserve() }
        scenario.redis.restoreBackup()
        withClue("its count is zero, and one seat is left") { (reserve() is ReserveResult.Granted) shouldBe true }
        reserve() shouldBe ReserveResult.SoldOut
        scenario.broken(event, CAPACITY, listOf(client)).shouldBeEmpty()
    }

    private companion object {
        const val CAPACITY = 10
        const val CLIENTS = 12
    }
}
