package threadgauge.tickets.service.store

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.ReservationState
import threadgauge.tickets.rules.Seats
import threadgauge.tickets.service.TestMaria
import threadgauge.tickets.service.execute
import java.util.TimeZone
import kotlin.time.Duration.Companion.minutes

/** The books in MariaDB, with seats as a number. */
@Tag("processes")
class MariaLedgerContract : SqlLedgerContract(POOL) {
    @Test
    fun `keys that differ in the case of a letter are two`() = runBlocking<Unit> {
        val event = store.open("case", 2, 10.minutes)
        val answers = listOf("same", "SAME").map { store.grantRow(SeatRequest(event, IdempotencyKey.of("$event-$it")!!, Seats.of(1)!!)) }
        answers.map { (it as Answer.Granted).isRepeat } shouldBe listOf(false, false)
    }

    @Test
    fun `a hold lasts as long as was said, wherever the service runs`() = runBlocking<Unit> {
        val usual = TimeZone.getDefault()
        TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"))
        try {
            openPool(TestMaria.address, 1).use { pool ->
                val elsewhere = SqlLedger(pool, Dispatchers.IO)
                val event = elsewhere.open("far", 1, 10.minutes)
                val granted = elsewhere.grant(event, listOf(SeatRequest(event, IdempotencyKey.of("$event-far")!!, Seats.of(1)!!))).single()
                val held = store.reservation((granted as Answer.Granted).reservation.id)!!
                held.expiresAt shouldBe granted.reservation.expiresAt
                held.state shouldBe ReservationState.HELD
                store.event(event)!!.held shouldBe 1
            }
        } finally {
            TimeZone.setDefault(usual)
        }
    }

    @Test
    fun `books that a crash could change are refused`() {
        POOL.execute("set global innodb_flush_log_at_trx_commit = 2")
        try {
            shouldThrow<StartupError> { openPool(TestMaria.address, 1) }.message shouldContain "innodb_flush_log_at_trx_commit = 2"
        } finally {
            POOL.execute("set global innodb_flush_log_at_trx_commit = 1")
        }
    }

    @Test
    fun `who says nothing in the middle of a transaction loses it, and others go on`() = whoSaysNothingLosesHisTransaction()

    companion object {
        private val POOL by lazy { openPool(TestMaria.address) }

        @JvmStatic
        @AfterAll
        fun close() = POOL.close()
    }
}

/** The same where each seat is a row. */
@Tag("processes")
class MariaSeatRowsContract : SqlLedgerContract(POOL, SeatStorage.ROWS) {
    companion object {
        private val POOL by lazy { openPool(TestMaria.address) }

        @JvmStatic
        @AfterAll
        fun close() = POOL.close()
    }
}
