package threadgauge.tickets.service.store

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import java.sql.DriverManager
import kotlin.time.Duration.Companion.minutes
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.tickets.service.TestMaria

/** The ledger of MySQL's dialect, on MariaDB, with seats as a counter. */
@Tag("processes")
class MysqlDialectContract : SqlLedgerContract(MysqlOnMaria.pool) {
    @Test
    fun `an idle transaction is rolled back, and others go on`() = idleTransactionIsRolledBack()

    @Test
    fun `as many numbers are made as are asked for`() = runBlocking<Unit> {
        for (max in listOf(1, 9, 10, 11, 100, 1_234)) {
            MysqlOnMaria.pool.connection.use { connection ->
                connection.createStatement().use { statement ->
                    val sql = "select count(distinct number), min(number), max(number) from (${Mysql.numbers(max)}) n"
                    statement.executeQuery(sql).use { row ->
                        row.next()
                        (1..3).map(row::getInt) shouldContainExactly listOf(max, 1, max)
                    }
                }
                connection.commit()
            }
        }
    }

    @Test
    fun `no statement that the database has received uses what MySQL lacks`() = runBlocking<Unit> {
        MysqlOnMaria.log("on")
        val counter = SqlLedger(MysqlOnMaria.pool, Dispatchers.IO)
        val event = counter.open("logged", 9, 10.minutes)
        counter.grant(event, listOf(request(event, "batch")))
        counter.grantRow(request(event, "row"))
        counter.write(request(event, "written"))
        val rows = SqlLedger(MysqlOnMaria.pool, Dispatchers.IO, SeatStorage.ROWS)
        val seats = rows.open("logged rows", 12, 10.minutes)
        rows.grantSeatRows(request(seats, "seat"))
        val held = counter.grantRow(request(event, "held")).granted().id
        counter.confirm(held)
        counter.release(held)
        counter.endRehearsal(counter.openRehearsal(1, 10.minutes))
        MysqlOnMaria.log("off")
        val statements = MysqlOnMaria.logged()
        statements.filter { "reservation" in it }.size shouldBeGreaterThan 10
        statements.filter { LACKING.containsMatchIn(it) }.shouldBeEmpty()
        // The migrations were received before anything was logged.
        MIGRATIONS.map { checkNotNull(javaClass.getResource("/db/mysql/$it")).readText() }
            .filter { LACKING.containsMatchIn(it.lowercase()) }.shouldBeEmpty()
    }

    @Test
    fun `what MySQL lacks would be found in the statements for MariaDB`() {
        val sent = listOf(
            "insert into event (name) values (?) returning id", "select seq from seq_1_to_5", "id uuid not null",
            "set session idle_transaction_timeout = 5",
        )
        sent.filter { LACKING.containsMatchIn(it) } shouldBe sent
        sent shouldContain "select seq from ${Maria.numbers(5).substringAfter("from ")}"
    }

    private companion object {
        val LACKING = Regex("""\breturning\b|\bseq_\d+_to_|\buuid\b(?!\()|idle_transaction_timeout|nextval|sequence""")
        val MIGRATIONS = listOf("V1__sale.sql", "V2__seat_rows.sql", "V3__kinds_of_events.sql")

        @JvmStatic
        @AfterAll
        fun close() = MysqlOnMaria.log("off")
    }
}

/** The same with one row per seat. */
@Tag("processes")
class MysqlSeatRowsContract : SqlLedgerContract(MysqlOnMaria.pool, SeatStorage.ROWS)

/** A database of its own within the tests' MariaDB, reached as if it were MySQL. */
private object MysqlOnMaria {
    private val maria = TestMaria.address
    val pool: LedgerPool by lazy {
        execute("create database if not exists as_mysql")
        openPool(maria.copy(jdbc = addressOf("as_mysql").replaceFirst(Maria.scheme, Mysql.scheme)))
    }

    /** Writes every statement that the server gets to a table, or stops that. */
    fun log(state: String) {
        execute("set global log_output = 'TABLE'")
        execute("set global general_log = '$state'")
    }

    /** What was sent to the database of [pool] as text or to be prepared, in lower case. */
    fun logged(): List<String> =
        DriverManager.getConnection(addressOf("mysql"), maria.user, maria.password).use { root ->
            root.createStatement().use { statement ->
                val sql = "select convert(argument using utf8mb4) from general_log " +
                    "where command_type in ('Query', 'Prepare', 'Execute') and argument not like 'set global%'"
                statement.executeQuery(sql).use { row ->
                    generateSequence { if (row.next()) row.getString(1).lowercase() else null }.toList()
                }
            }
        }

    private fun execute(sql: String) {
        DriverManager.getConnection(maria.jdbc, maria.user, maria.password).use { root ->
            root.createStatement().use { it.execute(sql) }
        }
    }

    private fun addressOf(database: String): String {
        val (before, after) = maria.jdbc.split('?', limit = 2).let { it[0] to it.getOrNull(1) }
        return before.substringBeforeLast('/') + "/" + database + after?.let { "?$it" }.orEmpty()
    }
}
