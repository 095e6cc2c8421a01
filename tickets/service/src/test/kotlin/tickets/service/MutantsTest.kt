package threadgauge.tickets.service

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import java.sql.Connection
import java.sql.DriverManager
import java.util.concurrent.atomic.AtomicInteger
import javax.sql.DataSource
import kotlin.time.Duration.Companion.minutes
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

/**
 * The service with one safeguard removed, each with a ledger of its own. The checker of histories must detect the
 * consequence. The unchanged service gets the same requests, and keeps every promise.
 */
@Tag("processes")
class MutantsTest {
    @Test
    fun `answering before the commit is detected as lost reservations`() = runBlocking<Unit> {
        val ledger = newLedger("early")
        promisesBrokenBy(race(ledger, ledger, ledger)).shouldBeEmpty()
        val lossy = Lossy(ledger)
        val losing = ledger.behind(lossy)
        // Without retries, which would repair what was lost.
        val broken = promisesBrokenBy(race(ledger, losing, losing, times = 1))
        withClue("${lossy.lost.get()} commits were lost") { broken shouldContain Promise.DURABLE }
    }

    @Test
    fun `two services without a lock on the event are detected as overselling`() = runBlocking<Unit> {
        val ledger = newLedger("unlocked")
        promisesBrokenBy(race(ledger, ledger, ledger)).shouldBeEmpty()
        ledger.changeGrants { it.replace("and e.seats = 'A_NUMBER' for update", "and e.seats = 'A_NUMBER'") }
        repeatedly { promisesBrokenBy(race(ledger, ledger, ledger)) shouldContain Promise.NO_OVERSELL }
    }

    @Test
    fun `without the unique key a request granted twice is detected`() = runBlocking<Unit> {
        val ledger = newLedger("doubled")
        repeat(10) { brokenPromises(sameKeysForTwoEvents(ledger)).map { it.promise }.shouldBeEmpty() }
        ledger.execute("alter table reservation drop constraint reservation_idempotency_key_key")
        repeatedly { brokenPromises(sameKeysForTwoEvents(ledger)).map { it.promise } shouldContain Promise.ONCE }
    }

    @Test
    fun `without the check for known keys a retry that buys again is detected`() = runBlocking<Unit> {
        val ledger = newLedger("retries")
        ledger.changeGrants {
            it.replace("left join reservation r on r.idempotency_key = a.key", "left join reservation r on false")
        }
        // The unique key still prevents the commit of a second grant.
        promisesBrokenBy(race(ledger, ledger, ledger, clients = 4)).shouldBeEmpty()
        ledger.execute("alter table reservation drop constraint reservation_idempotency_key_key")
        // So few clients that seats are left for all retries.
        promisesBrokenBy(race(ledger, ledger, ledger, clients = 21)) shouldContain Promise.ONCE
    }

    @Test
    fun `a confirmed reservation that expires and is sold again is detected`() = runBlocking<Unit> {
        val ledger = newLedger("unconfirmed")
        confirmedAndOver(ledger).shouldBeEmpty()
        ledger.changeGrants {
            it.replace("r.event = p_event and r.state = 'HELD'", "r.event = p_event and r.state <> 'EXPIRED'")
        }
        confirmedAndOver(ledger) shouldContain Promise.ENDED
    }

    /** The only seat is confirmed, and requested by another client when its hold would have expired. */
    private suspend fun confirmedAndOver(ledger: LedgerPool): List<Promise> {
        val store = SqlLedger(ledger, Dispatchers.IO)
        val event = store.open("sale", 1, 10.minutes)
        val owner = Race(ledger).call(service(ledger), request(event, "owner"))
        val id = (owner.result as ReserveResult.Granted).reservation
        check(store.confirm(id) is Ending.Changed)
        val confirmed = Call.End(System.nanoTime(), System.nanoTime(), id, ReservationState.CONFIRMED, done = true)
        ledger.execute("update reservation set expires_at = made_at where id = '$id'")
        val other = Race(ledger).call(service(ledger), request(event, "other"))
        return promisesBrokenBy(History(1, listOf(owner, confirmed, other), Race(ledger).entries(event)))
    }

    /** Two services that share the ledger race for the seats of one event. */
    private suspend fun race(
        ledger: LedgerPool,
        one: LedgerPool,
        other: LedgerPool,
        clients: Int = CLIENTS,
        times: Int = 2,
    ): History {
        val event = SqlLedger(ledger, Dispatchers.IO).open("sale", SEATS, 10.minutes)
        return Race(ledger).run(event, SEATS, clients, service(one), service(other), times = times)
    }

    /** Two services get requests with the same keys at the same time, each for another event. */
    private suspend fun sameKeysForTwoEvents(ledger: LedgerPool): History {
        val store = SqlLedger(ledger, Dispatchers.IO)
        val events = List(2) { store.open("sale", CLIENTS, 10.minutes) }
        val services = List(2) { service(ledger) }
        val scope = CoroutineScope(Dispatchers.Default)
        val calls = List(CLIENTS) { key ->
            events.mapIndexed { index, event ->
                val request = request(events.first(), "caller-$key").copy(event = event)
                scope.async { Race(ledger).call(services[index], request) }
            }
        }.flatten().map { it.await() }
        services.forEach { it.drain() }
        return History(2 * CLIENTS, calls, events.flatMap { Race(ledger).entries(it) })
    }

    private fun service(ledger: LedgerPool): Strategy {
        val scope = CoroutineScope(SupervisorJob() + Dispatchers.Default)
        return BatchStrategy(SqlLedger(ledger, Dispatchers.IO), scope, MANY_COMMITS)
    }

    private fun promisesBrokenBy(history: History) = brokenPromises(history).map { it.promise }.distinct()

    /** A race condition may go well by chance, but not fifty times. */
    private suspend fun repeatedly(attempt: suspend () -> Unit) {
        repeat(ATTEMPTS - 1) { if (runCatching { attempt() }.isSuccess) return }
        attempt()
    }

    /** A ledger of its own, whose function for grants can be changed. */
    private fun newLedger(name: String): LedgerPool {
        val address = TestPostgres.address
        DriverManager.getConnection(address.jdbc, address.user, address.password).use { admin ->
            admin.createStatement().use { it.execute("create database mutant_$name") }
        }
        val mutant = address.copy(jdbc = address.jdbc.replace(DATABASE, "$1/mutant_$name"))
        return openPool(mutant, CONNECTIONS).also(OPEN::add)
    }

    private fun DataSource.changeGrants(change: (String) -> String) {
        val function = connection.use { connection ->
            connection.createStatement().use { statement ->
                statement.executeQuery("select pg_get_functiondef('grant_seats'::regproc)")
                    .use { it.next(); it.getString(1) }
            }.also { connection.rollback() }
        }
        val changed = change(function)
        check(changed != function) { "the mutation does not fit the function: $function" }
        execute(changed)
    }

    /** A data source that reports every fifth transaction as committed, but rolls it back. */
    private class Lossy(private val source: DataSource) : DataSource by source {
        val lost = AtomicInteger()
        private val commits = AtomicInteger()

        override fun getConnection(): Connection = LossyConnection(source.connection)

        private inner class LossyConnection(private val connection: Connection) : Connection by connection {
            override fun commit() {
                if (commits.incrementAndGet() % 5 != 0) return connection.commit()
                lost.incrementAndGet()
                connection.rollback()
            }
        }
    }

    companion object {
        private const val SEATS = 60

        /** Odd, so that each key is sent to both services. */
        private const val CLIENTS = 151
        private val MANY_COMMITS = BatchSettings(maxBatch = 4)
        private const val CONNECTIONS = 4
        private const val ATTEMPTS = 50
        private val DATABASE = Regex("(//[^/]+)/[^?]*")
        private val OPEN = ArrayList<AutoCloseable>()

        @JvmStatic
        @AfterAll
        fun close() = OPEN.forEach { it.close() }
    }
}
