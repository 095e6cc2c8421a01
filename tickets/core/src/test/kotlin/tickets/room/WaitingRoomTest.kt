package threadgauge.tickets.room

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeSorted
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import java.time.Instant
import java.time.InstantSource
import java.util.concurrent.Callable
import java.util.concurrent.Executors
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlin.time.toJavaDuration
import org.junit.jupiter.api.Test
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.IdempotencyKey

class WaitingRoomTest {
    private var now = Instant.parse("2030-01-01T12:00:00Z")
    private val event = EventId(1)

    @Test
    fun `slots are spaced by the rate, first come first served, and are now if no client waits`() {
        val room = room(ratePerSecond = 100.0)
        val waits = List(5) { room.slotFor(event, key("$it"))!!.wait }
        waits shouldBe listOf(0.milliseconds, 10.milliseconds, 20.milliseconds, 30.milliseconds, 40.milliseconds)
        pass(1.seconds)
        room.slotFor(event, key("later"))!!.wait shouldBe Duration.ZERO
        // Each event has slots of its own.
        room.slotFor(EventId(2), key("other"))!!.wait shouldBe Duration.ZERO
    }

    @Test
    fun `a repeated key gets the same slot, until it expires or too many other keys came`() {
        val settings = WaitingRoomSettings(1.0, "the secret of all services", maxRemembered = 3)
        val room = WaitingRoom(settings, InstantSource { now })
        val slots = List(3) { room.slotFor(event, key("$it"))!! }
        pass(1.seconds)
        room.slotFor(event, key("0"))!! shouldBe slots[0]
        room.slotFor(event, key("2"))!! shouldBe slots[2].copy(wait = 1.seconds)
        // The same key for another event is another request.
        room.slotFor(EventId(2), key("1"))!!.wait shouldBe Duration.ZERO
        // That was the fourth, so the first is no longer remembered.
        room.slotFor(event, key("0"))!!.wait shouldBe 2.seconds
        room.slotFor(event, key("2"))!!.token shouldBe slots[2].token
        pass(2.minutes + 1.seconds)
        room.slotFor(event, key("2"))!!.wait shouldBe Duration.ZERO
    }

    @Test
    fun `a token admits from the begin of its slot, for as long as a slot lasts`() {
        val room = room(ratePerSecond = 1.0)
        room.slotFor(event, key("first"))
        val slot = room.slotFor(event, key("second"))!!
        room.check(slot.token, event, key("second")) shouldBe Admission.TooEarly(1.seconds)
        pass(999.milliseconds)
        room.check(slot.token, event, key("second")) shouldBe Admission.TooEarly(1.milliseconds)
        pass(1.milliseconds)
        room.check(slot.token, event, key("second")) shouldBe Admission.Admitted
        pass(2.minutes - 1.milliseconds)
        room.check(slot.token, event, key("second")) shouldBe Admission.Admitted
        pass(1.milliseconds)
        room.check(slot.token, event, key("second")) shouldBe Admission.Expired
    }

    @Test
    fun `a token is invalid for another key, event, slot or secret`() {
        val room = room()
        val token = room.slotFor(event, key("a"))!!.token
        room.check(token, event, key("a")) shouldBe Admission.Admitted
        val (slot, signature) = token.split('.')
        val forged = listOf(
            "", ".", "x", slot, "$slot.", ".$signature", "${slot.toLong() - 1}.$signature",
            "0$token", "+$token", "$token=", "$token ", token.dropLast(1),
        )
        forged.forEach { withClue(it) { room.check(it, event, key("a")) shouldBe Admission.Invalid } }
        room.check(token, event, key("b")) shouldBe Admission.Invalid
        room.check(token, EventId(11), key("a")) shouldBe Admission.Invalid
        room(secret = "another secret of sixteen").check(token, event, key("a")) shouldBe Admission.Invalid
        // A service that shares the secret admits.
        room().check(token, event, key("a")) shouldBe Admission.Admitted
    }

    @Test
    fun `a client that would wait for too long is rejected and uses no slot`() {
        val room = room(ratePerSecond = 10.0, maxWait = 1.seconds)
        repeat(11) { room.slotFor(event, key("$it")).shouldNotBeNull() }
        room.slotFor(event, key("too many")) shouldBe null
        pass(100.milliseconds)
        room.slotFor(event, key("one more"))!!.wait shouldBe 1.seconds
    }

    @Test
    fun `concurrent clients get different slots`() {
        val room = room(ratePerSecond = 1_000.0)
        val slots = Executors.newFixedThreadPool(4).use { threads ->
            val clients = List(4) { thread ->
                Callable { List(2_000) { room.slotFor(event, key("$thread-$it"))!!.at } }
            }
            threads.invokeAll(clients).map { it.get() }
        }
        slots.forEach { it.shouldBeSorted() }
        slots.flatten().distinct().size shouldBe 8_000
        slots.flatten().max() shouldBe now + 7_999.milliseconds.toJavaDuration()
    }

    @Test
    fun `a room with an invalid rate or a short secret is rejected`() {
        listOf(0.0, -1.0, Double.NaN, 2e6).forEach {
            shouldThrow<IllegalArgumentException> { room(ratePerSecond = it) }
        }
        shouldThrow<IllegalArgumentException> { room(secret = "short") }
        WaitingRoomSettings(5.0, "a secret of sixteen").toString() shouldBe "WaitingRoomSettings(5.0/s)"
    }

    private fun room(
        ratePerSecond: Double = 10.0,
        secret: String = "the secret of all services",
        maxWait: Duration = 30.minutes,
    ) = WaitingRoom(WaitingRoomSettings(ratePerSecond, secret, maxWait), InstantSource { now })

    private fun pass(time: Duration) {
        now += time.toJavaDuration()
    }

    private fun key(text: String) = IdempotencyKey.of(text.replace(' ', '-'))!!
}
