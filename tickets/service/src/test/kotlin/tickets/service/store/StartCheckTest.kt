package threadgauge.tickets.service.store

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.sql.Connection.TRANSACTION_READ_COMMITTED
import java.sql.Connection.TRANSACTION_REPEATABLE_READ
import java.sql.Connection.TRANSACTION_SERIALIZABLE
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.tickets.service.StartupError
import threadgauge.tickets.service.TestMaria

class StartCheckTest {
    @Test
    fun `a database that keeps everything is taken, with a line about each`() {
        relied() shouldContainExactly listOf(
            "isolation = READ COMMITTED", "sql_mode = STRICT_TRANS_TABLES", "innodb_flush_log_at_trx_commit = 1",
            "innodb_doublewrite = ON", "sync_binlog = 1",
        )
        reliedOn(Postgres, TRANSACTION_READ_COMMITTED) { "on" } shouldContain "fsync = on"
    }

    @Test
    fun `another isolation is rejected, stricter or not`() {
        for (isolation in listOf(TRANSACTION_REPEATABLE_READ, TRANSACTION_SERIALIZABLE, 0)) {
            refusal { relied(isolation = isolation) } shouldContain "isolation is not READ COMMITTED"
        }
    }

    @Test
    fun `a mode that is not strict is rejected`() {
        for (mode in listOf("", "NO_ENGINE_SUBSTITUTION", "NOT_STRICT_ALL_TABLES", null)) {
            refusal { relied(mode = mode) } shouldContain "sql_mode = '${mode.orEmpty()}'"
        }
    }

    @Test
    fun `settings by which a crash loses commits are rejected, and MySQL does not know all of MariaDB's`() {
        refusal { relied("innodb_flush_log_at_trx_commit" to "2") } shouldContain "innodb_flush_log_at_trx_commit = 2"
        refusal { relied("innodb_flush_log_at_trx_commit" to "3") } shouldContain "innodb_flush_log_at_trx_commit = 3"
        refusal { relied("innodb_doublewrite" to "DETECT_ONLY") } shouldContain "innodb_doublewrite = DETECT_ONLY"
        refusal { relied("sync_binlog" to "0") } shouldContain "sync_binlog = 0"
        relied("innodb_flush_log_at_trx_commit" to "3", dialect = Maria) shouldContain
            "innodb_flush_log_at_trx_commit = 3"
    }

    @Test
    fun `MySQL is let in as untested, by the driver of MariaDB`() {
        Dialect.of("jdbc:mysql://db:3306/sale") shouldBe Mysql
        Mysql.driverUrl("jdbc:mysql://db:3306/sale?x=y") shouldBe "jdbc:mariadb://db:3306/sale?x=y"
        Mysql.warning!! shouldContain "untested"
        listOf(Maria.warning, Postgres.warning) shouldContainExactly listOf(null, null)
        shouldThrow<StartupError> { Dialect.of("jdbc:oracle:x") }.remedy shouldContain "jdbc:mysql:"
    }

    @Test
    @Tag("processes")
    fun `a MariaDB whose session is not strict is rejected`() {
        openPool(TestMaria.address, 1).use { pool ->
            pool.connection.use { connection ->
                connection.checkAtStart(Maria)
                connection.createStatement().use { it.execute("set session sql_mode = 'NO_ENGINE_SUBSTITUTION'") }
                refusal { connection.checkAtStart(Maria) } shouldContain "NO_ENGINE_SUBSTITUTION"
                connection.createStatement().use { it.execute("set session sql_mode = 'STRICT_ALL_TABLES'") }
                connection.transactionIsolation = TRANSACTION_SERIALIZABLE
                refusal { connection.checkAtStart(Maria) } shouldContain "isolation"
                connection.rollback()
            }
        }
    }

    private fun refusal(check: () -> Unit): String = shouldThrow<StartupError> { check() }.message

    private fun relied(
        vararg other: Pair<String, String>,
        isolation: Int = TRANSACTION_READ_COMMITTED,
        mode: String? = "STRICT_TRANS_TABLES",
        dialect: Dialect = Mysql,
    ): List<String> {
        val settings = mapOf(
            "innodb_flush_log_at_trx_commit" to "1", "innodb_doublewrite" to "ON", "sync_binlog" to "1",
        ) + other
        return reliedOn(dialect, isolation) { query ->
            if (query == dialect.modeQuery) mode else
                settings.entries.single { dialect.settingQuery(it.key) == query }.value
        }
    }
}
