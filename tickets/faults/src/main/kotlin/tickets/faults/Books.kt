package threadgauge.tickets.faults

import threadgauge.target.Leash
import threadgauge.tickets.history.Entry
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.ReservationState
import java.nio.file.Files
import java.nio.file.Path
import java.sql.Connection
import java.sql.DriverManager
import java.sql.SQLException
import java.util.UUID
import kotlin.io.path.readLines

/** A PostgreSQL of our own that can be killed in the middle of anything and started again on what it had written. */
internal class Books(private val home: Path, private val folder: Path) : AutoCloseable {
    private val log = folder.resolve("postgresql.log")
    private val data = Files.createDirectory(folder.resolve("postgresql"))

    /** Of whoever runs now: first the program that makes the database, then PostgreSQL itself. */
    private var leash: Leash = Leash.start(
        listOf(java(), "-Xmx128m", "-jar", "target/database.jar", "--database=postgresql", "--folder=$data", "--articles=none"),
        home.resolve("servers/database"), log,
    )
    private val given: Map<String, String> = try {
        await("PostgreSQL") {
            check(leash.isAlive) { "PostgreSQL did not start; see $log" }
            log.readLines().firstOrNull { it.startsWith(READY) }
        }.removePrefix(READY).split(' ').associate { it.substringBefore('=') to it.substringAfter('=') }
    } catch (failure: Exception) {
        leash.close()
        throw failure
    }

    /** Largest size of a file that it may write, in bytes, from its next start on: to what is larger its disk is full. Null for any. */
    var mostFileBytes: Long? = null

    private val jdbc get() = given.getValue("jdbc")
    val port: Int get() = Regex(":(\\d+)/").find(jdbc)!!.groupValues[1].toInt()
    val user get() = given.getValue("user")
    val password get() = given.getValue("password")

    /** Where PostgreSQL's programs are, by its own word. */
    private val programs: Path by lazy {
        open().use { books ->
            books.createStatement().use { statement ->
                statement.executeQuery("select setting from pg_config where name = 'BINDIR'").use { it.next(); Path.of(it.getString(1)) }
            }
        }
    }

    /** `kill -9` for every process of it, then a new start. Returns when it can be asked again. */
    fun kill() {
        val command = restart()
        val family = ProcessHandle.of(leash.pid).map { root -> (listOf(root) + root.descendants().toList()) }.orElse(emptyList())
        family.filter { it.info().command().orElse("").endsWith("/postgres") }.forEach { it.destroyForcibly() }
        await("the end of PostgreSQL") { Unit.takeIf { !leash.isAlive } }
        leash.close()
        leash = Leash.start(command, folder, log)
        await("PostgreSQL after its death") {
            if (!leash.isAlive) startAgain(command)
            try {
                open().close()
            } catch (_: SQLException) {
                null
            }
        }
    }

    /** It refuses to start while a process is left that it began just before it was killed; that one ends by itself within moments. */
    private fun startAgain(command: List<String>) {
        leash.close()
        Thread.sleep(RETRY_MILLIS)
        leash = Leash.start(command, folder, log)
    }

    /** The address for who goes by way of something that listens at [other]. */
    fun jdbcBy(other: Int) = jdbc.replace(":$port/", ":$other/")

    /** To be asked while it runs. */
    private fun restart(): List<String> {
        // It refuses to run as root, and in a user namespace of its own nobody is.
        val asNobody = if (System.getProperty("user.name") == "root") listOf("unshare", "-U") else emptyList()
        val limited = mostFileBytes?.let { listOf("/bin/sh", "-c", "ulimit -f ${it / ULIMIT_BLOCK}; exec \"$@\"", "limited") }.orEmpty()
        return limited + asNobody + listOf("${programs.resolve("postgres")}", "-D", "${data.resolve("data")}", "-p", "$port") +
            listOf("-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=")
    }

    /** Makes [rows] reservations of an event that nobody sells, and tells how many bytes their table then has. */
    fun fill(rows: Int): Long = open().use { books ->
        books.createStatement().use { statement ->
            statement.execute(FILL.format(rows))
            statement.executeQuery("select pg_relation_size('reservation')").use { it.next(); it.getLong(1) }
        }
    }

    /** Every reservation of [event]. */
    fun entries(event: Long): List<Entry> = open().use { books ->
        books.prepareStatement("select id, idempotency_key, seats, state from reservation where event = ?").use { statement ->
            statement.setLong(1, event)
            statement.executeQuery().use { rows ->
                buildList {
                    while (rows.next()) {
                        val key = IdempotencyKey.of(rows.getString("idempotency_key"))!!
                        val state = ReservationState.valueOf(rows.getString("state"))
                        add(Entry(rows.getObject("id", UUID::class.java), key, rows.getInt("seats"), state))
                    }
                }
            }
        }
    }

    private fun open(): Connection = DriverManager.getConnection(jdbc, user, password)

    override fun close() = leash.close()

    private companion object {
        const val READY = "ready "
        const val RETRY_MILLIS = 200L

        /** Of the shell's `ulimit -f` (POSIX). */
        const val ULIMIT_BLOCK = 512
        const val FILL = """
            with old as (insert into event (name, capacity, remaining, hold) values ('old', %1${'$'}d, 0, interval '1 day') returning id)
            insert into reservation (id, event, idempotency_key, seats, state, expires_at)
            select gen_random_uuid(), old.id, 'old-' || n, 1, 'CONFIRMED', now() from old, generate_series(1, %1${'$'}d) n"""
    }
}

internal fun java(): String = Path.of(System.getProperty("java.home"), "bin", "java").toString()

/** Looks until [look] sees something; a machine that does much else takes its time. */
internal fun <T : Any> await(what: String, look: () -> T?): T {
    val end = System.nanoTime() + PATIENCE_NANOS
    while (true) {
        look()?.let { return it }
        check(System.nanoTime() < end) { "two minutes went by without $what" }
        Thread.sleep(POLL_MILLIS)
    }
}

private const val PATIENCE_NANOS = 120_000_000_000L
private const val POLL_MILLIS = 20L
