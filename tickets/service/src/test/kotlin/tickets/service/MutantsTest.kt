package threadgauge.tickets.service

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.async
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.tickets.batch.BatchSettings
import threadgauge.tickets.batch.BatchStrategy
import threadgauge.tickets.history.Call
import threadgauge.tickets.history.History
import threadgauge.tickets.history.Promise
import threadgauge.tickets.history.ReserveResult
import threadgauge.tickets.history.brokenPromises
import threadgauge.tickets.rules.Ending
import threadgauge.tickets.rules.ReservationState
import threadgauge.tickets.sale.Strategy
import threadgauge.tickets.service.store.LedgerPool
import threadgauge.tickets.service.store.SqlLedger
import threadgauge.tickets.service.store.openPool
import java.sql.Connection
import java.sql.DriverManager
import java.util.concurrent.atomic.AtomicInteger
import javax.sql.DataSource
import kotlin.time.Duration.Companion.minutes

/**
 * The service with one of its safeguards taken out, each in books of its own: the checker of histories must find what comes of it. Beside
 * each mutant the whole service is asked the same, and keeps every promise.
 */
@Tag("processes")
class MutantsTest {
    @Test
    fun `whoever answers before the commit is found to lose what was granted`() = runBlocking<Unit> {
        val books = books("early")
        promisesBrokenBy(race(books, books, books)).shouldBeEmpty()
        val lossy = Lossy(books)
        val forgetful = books.behind(lossy)
        // Asked once: a retry would make good what was lost.
        val broken = promisesBrokenBy(race(books, forgetful, forgetful, times = 1))
        withClue("${lossy.lost.get()} commits were lost") { broken shouldContain Promise.DURABLE }
    }

    @Test
    fun `without a lock on the event two services are found to oversell`() = runBlocking<Unit> {
        val books = books("unlocked")
        promisesBrokenBy(race(books, books, books)).shouldBeEmpty()
        books.changeGrants { it.replace("and e.seats = 'A_NUMBER' for update", "and e.seats = 'A_NUMBER'") }
        repeatedly { promisesBrokenBy(race(books, books, books)) shouldContain Promise.NO_OVERSELL }
    }

    @Test
    fun `without the unique key one wish is found to be granted twice`() = runBlocking<Unit> {
        val books = books("doubled")
        repeat(10) { brokenPromises(sameKeysForTwoEvents(books)).map { it.promise }.shouldBeEmpty() }
        books.execute("alter table reservation drop constraint reservation_idempotency_key_key")
        repeatedly { brokenPromises(sameKeysForTwoEvents(books)).map { it.promise } shouldContain Promise.ONCE }
    }

    @Test
    fun `without a look at known keys a retry is found to buy again`() = runBlocking<Unit> {
        val books = books("forgetful")
        books.changeGrants { it.replace("left join reservation r on r.idempotency_key = a.key", "left join reservation r on false") }
        // The unique key is the last word: what is granted a second time cannot be committed.
        promisesBrokenBy(race(books, books, books, callers = 4)).shouldBeEmpty()
        books.execute("alter table reservation drop constraint reservation_idempotency_key_key")
        // So few that there are seats for all when they come for the second time.
        promisesBrokenBy(race(books, books, books, callers = 21)) shouldContain Promise.ONCE
    }

    @Test
    fun `a hold that is over although it was confirmed is found to be sold again`() = runBlocking<Unit> {
        val books = books("unconfirmed")
        confirmedAndOver(books).shouldBeEmpty()
        books.changeGrants { it.replace("r.event = p_event and r.state = 'HELD'", "r.event = p_event and r.state <> 'EXPIRED'") }
        confirmedAndOver(books) shouldContain Promise.ENDED
    }

    /** The one seat is confirmed, and wanted by another when its hold would be over. */
    private suspend fun confirmedAndOver(books: LedgerPool): List<Promise> {
        val store = SqlLedger(books, Dispatchers.IO)
        val event = store.open("sale", 1, 10.minutes)
        val owner = Race(books).call(service(books), request(event, "owner"))
        val id = (owner.result as ReserveResult.Granted).reservation
        check(store.confirm(id) is Ending.Changed)
        val confirmed = Call.End(System.nanoTime(), System.nanoTime(), id, ReservationState.CONFIRMED, done = true)
        books.execute("update reservation set expires_at = made_at where id = '$id'")
        val other = Race(books).call(service(books), request(event, "other"))
        return promisesBrokenBy(History(1, listOf(owner, confirmed, other), Race(books).entries(event)))
    }

    /** Two services that share the books race for the seats of one event. */
    private suspend fun race(books: LedgerPool, one: LedgerPool, other: LedgerPool, callers: Int = CALLERS, times: Int = 2): History {
        val event = SqlLedger(books, Dispatchers.IO).open("sale", SEATS, 10.minutes)
        return Race(books).run(event, SEATS, callers, service(one), service(other), times = times)
    }

    /** Each of two services is asked for another event with the same keys at the same time. */
    private suspend fun sameKeysForTwoEvents(books: LedgerPool): History {
        val store = SqlLedger(books, Dispatchers.IO)
        val events = List(2) { store.open("sale", CALLERS, 10.minutes) }
        val services = List(2) { service(books) }
        val scope = CoroutineScope(Dispatchers.Default)
        val calls = List(CALLERS) { key ->
            events.mapIndexed { index, event ->
                val request = request(events.first(), "caller-$key").copy(event = event)
                scope.async { Race(books).call(services[index], request) }
            }
        }.flatten().map { it.await() }
        services.forEach { it.drain() }
        return History(2 * CALLERS, calls, events.flatMap { Race(books).entries(it) })
    }

    private fun service(books: LedgerPool): Strategy =
        BatchStrategy(SqlLedger(books, Dispatchers.IO), CoroutineScope(SupervisorJob() + Dispatchers.Default), MANY_COMMITS)

    private fun promisesBrokenBy(history: History) = brokenPromises(history).map { it.promise }.distinct()

    /** What takes two at the same moment may go well by chance, though not fifty times. */
    private suspend fun repeatedly(attempt: suspend () -> Unit) {
        repeat(TRIES - 1) { if (runCatching { attempt() }.isSuccess) return }
        attempt()
    }

    /** Books that nobody else uses, with a function for grants that can be changed. */
    private fun books(name: String): LedgerPool {
        val address = TestPostgres.address
        DriverManager.getConnection(address.jdbc, address.user, address.password).use { admin ->
            admin.createStatement().use { it.execute("create database mutant_$name") }
        }
        return openPool(address.copy(jdbc = address.jdbc.replace(DATABASE, "$1/mutant_$name")), CONNECTIONS).also(OPEN::add)
    }

    private fun DataSource.changeGrants(change: (String) -> String) {
        val function = connection.use { books ->
            books.createStatement().use { statement ->
                statement.executeQuery("select pg_get_functiondef('grant_seats'::regproc)").use { it.next(); it.getString(1) }
            }.also { books.rollback() }
        }
        val changed = change(function)
        check(changed != function) { "the function is written in another way now: $function" }
        execute(changed)
    }

    /** Books that say of every fifth transaction that it was committed, and have forgotten it. */
    private class Lossy(private val books: DataSource) : DataSource by books {
        val lost = AtomicInteger()
        private val commits = AtomicInteger()

        override fun getConnection(): Connection = Forgetful(books.connection)

        private inner class Forgetful(private val connection: Connection) : Connection by connection {
            override fun commit() {
                if (commits.incrementAndGet() % 5 != 0) return connection.commit()
                lost.incrementAndGet()
                connection.rollback()
            }
        }
    }

    companion object {
        private const val SEATS = 60

        /** Odd, so that two services are asked with each key. */
        private const val CALLERS = 151
        private val MANY_COMMITS = BatchSettings(maxBatch = 4)
        private const val CONNECTIONS = 4
        private const val TRIES = 50
        private val DATABASE = Regex("(//[^/]+)/[^?]*")
        private val OPEN = ArrayList<AutoCloseable>()

        @JvmStatic
        @AfterAll
        fun close() = OPEN.forEach { it.close() }
    }
}
