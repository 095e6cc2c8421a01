package threadgauge.tickets.service.store

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.coroutines.Dispatchers
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.tickets.service.TestPostgres

@Tag("processes")
class PostgresStoreContract : StoreContract() {
    private val store = PostgresStore(POOL, Dispatchers.IO)
    override val ledger = store
    override val desk = store

    @Test
    fun `books that a crash could change are refused`() {
        val unsafe = TestPostgres.address.copy(jdbc = "${TestPostgres.address.jdbc}?options=-c%20synchronous_commit=off")
        shouldThrow<UnusableBooks> { openPool(unsafe, 1) }.message shouldContain "synchronous_commit = off"
        val nowhere = TestPostgres.address.copy(jdbc = "jdbc:postgresql://127.0.0.1:1/x")
        shouldThrow<UnusableBooks> { openPool(nowhere, 1) }.message shouldContain "cannot be used: Connection refused"
    }

    @Test
    fun `identifiers grow with the time, and their other bits do not`() {
        val ids = List(1_000) { newReservationId(millis = 1_000_000_000_000L + it) }
        ids.map { it.toString() }.sorted() shouldBe ids.map { it.toString() }
        ids.all { it.version() == 7 && it.variant() == 2 } shouldBe true
        ids.map { it.leastSignificantBits }.distinct().size shouldBe 1_000
    }

    companion object {
        private val POOL by lazy { openPool(TestPostgres.address) }

        @JvmStatic
        @AfterAll
        fun close() = POOL.close()
    }
}
