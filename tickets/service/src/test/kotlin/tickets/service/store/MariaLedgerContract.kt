package threadgauge.tickets.service.store

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.util.TimeZone
import kotlin.time.Duration.Companion.minutes
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.ReservationState
import threadgauge.tickets.service.StartupError
import threadgauge.tickets.service.TestMaria
import threadgauge.tickets.service.execute

/** The ledger in MariaDB, with seats as a counter. */
@Tag("processes")
class MariaLedgerContract : SqlLedgerContract(POOL) {
    @Test
    fun `keys are case-sensitive`() = runBlocking<Unit> {
        val event = store.open("case", 2, 10.minutes)
        val answers = listOf("same", "SAME").map { store.grantRow(request(event, it)) }
        answers.map { (it as Answer.Granted).isRepeat } shouldBe listOf(false, false)
    }

    @Test
    fun `a hold has the right length in every time zone of the service`() = runBlocking<Unit> {
        val previous = TimeZone.getDefault()
        TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"))
        try {
            openPool(TestMaria.address, 1).use { pool ->
                val elsewhere = SqlLedger(pool, Dispatchers.IO)
                val event = elsewhere.open("far", 1, 10.minutes)
                val granted = elsewhere.grant(event, listOf(request(event, "far"))).single()
                val held = store.reservation((granted as Answer.Granted).reservation.id)!!
                held.expiresAt shouldBe granted.reservation.expiresAt
                held.state shouldBe ReservationState.HELD
                store.event(event)!!.held shouldBe 1
            }
        } finally {
            TimeZone.setDefault(previous)
        }
    }

    @Test
    fun `a database that may lose commits is rejected`() {
        POOL.execute("set global innodb_flush_log_at_trx_commit = 2")
        try {
            shouldThrow<StartupError> { openPool(TestMaria.address, 1) }.message shouldContain
                "innodb_flush_log_at_trx_commit = 2"
        } finally {
            POOL.execute("set global innodb_flush_log_at_trx_commit = 1")
        }
    }

    @Test
    fun `an idle transaction is rolled back, and others go on`() = idleTransactionIsRolledBack()

    companion object {
        private val POOL by lazy { openPool(TestMaria.address) }

        @JvmStatic
        @AfterAll
        fun close() = POOL.close()
    }
}

/** The ledger in MariaDB, with one row per seat. */
@Tag("processes")
class MariaSeatRowsContract : SqlLedgerContract(POOL, SeatStorage.ROWS) {
    companion object {
        private val POOL by lazy { openPool(TestMaria.address) }

        @JvmStatic
        @AfterAll
        fun close() = POOL.close()
    }
}
