package threadgauge.tickets.faults

import io.kotest.matchers.comparables.shouldBeGreaterThanOrEqualTo
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.shouldBe
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration
import java.time.Instant
import java.util.UUID
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.TestFactory

@Tag("processes")
class ClocksTest {
    @TestFactory
    fun `services with clocks two hours apart expire holds by the database's clock`() =
        LedgerKind.entries.map { dynamicTest(it.option) { sell(it) } }

    private fun sell(kind: LedgerKind) {
        FaultScenario(kind).use { scenario ->
            val (ahead, behind) = listOf(HOUR, HOUR.negated()).map { scenario.service("batch", clockOffset = it) }
            ahead.awaitReady()
            behind.awaitReady()
            check(HOLDS.any { sell(ahead, behind, it) }) { "the machine is too busy for a hold of ${HOLDS.last()}" }
        }
    }

    /** False where the machine is so busy that the [hold] ends before the requests that must find it. */
    private fun sell(ahead: Replica, behind: Replica, hold: Duration): Boolean {
        val event = ahead.open(capacity = 2, hold)
        val began = Instant.now()
        val kept = ahead.reserve(event, "kept")
        val left = behind.reserve(event, "left")
        // The clocks differ, as the identifiers show: they contain the time of their service.
        minutesAfter(began, kept.madeAt()) shouldBeInRange 58L..62L
        minutesAfter(began, left.madeAt()) shouldBeInRange -62L..-58L

        val states = listOf(ahead, behind).flatMap { service -> listOf(kept, left).map { service.stateOf(it) } }
        val confirmed = behind.confirm(kept).statusCode()
        if (Duration.between(began, Instant.now()) >= hold) return false
        states.toSet() shouldBe setOf("HELD")
        confirmed shouldBe 200
        // By the clock of a service it would end an hour later, or would have ended before.
        await("the end of a hold") { Unit.takeIf { behind.stateOf(left) == "EXPIRED" } }
        Duration.between(began, Instant.now()) shouldBeGreaterThanOrEqualTo hold

        ahead.stateOf(left) shouldBe "EXPIRED"
        ahead.stateOf(kept) shouldBe "CONFIRMED"
        ahead.confirm(left).statusCode() shouldBe 409
        // The expired seat is for sale again, and it is the only one.
        ahead.reserve(event, "next")
        send(reserveRequest(behind.url, event, "more-$event", seats = 1)).statusCode() shouldBe 409
        return true
    }

    /** The [key] is unique to the event, because a later hold tries all anew. */
    private fun Replica.reserve(event: Long, key: String): UUID {
        val answer = send(reserveRequest(url, event, "$key-$event", seats = 1))
        check(answer.statusCode() == 201) { "${answer.statusCode()} ${answer.body()}" }
        return UUID.fromString(answer.headers().firstValue("location").orElseThrow().substringAfterLast('/'))
    }

    private fun Replica.confirm(id: UUID): HttpResponse<String> =
        send(HttpRequest.newBuilder(url.resolve("/reservations/$id/confirm")).POST(HttpRequest.BodyPublishers.noBody()))

    private fun Replica.stateOf(id: UUID): String {
        val body = send(HttpRequest.newBuilder(url.resolve("/reservations/$id"))).body()
        return Regex("\"state\":\"([A-Z]+)\"").find(body)!!.groupValues[1]
    }

    private fun send(request: HttpRequest.Builder) = http.send(request.build(), HttpResponse.BodyHandlers.ofString())

    /** The first 48 bits of a version 7 UUID (RFC 9562). */
    private fun UUID.madeAt(): Instant = Instant.ofEpochMilli(mostSignificantBits ushr 16)

    private fun minutesAfter(one: Instant, other: Instant) = Duration.between(one, other).toMinutes()

    private companion object {
        val HOUR: Duration = Duration.ofHours(1)
        val HOLDS: List<Duration> = listOf(4L, 16, 64).map(Duration::ofSeconds)
    }
}
