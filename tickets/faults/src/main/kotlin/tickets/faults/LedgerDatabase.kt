package threadgauge.tickets.faults

import threadgauge.target.Leash
import threadgauge.tickets.history.LedgerEntry
import threadgauge.tickets.history.LedgerSnapshot
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.ReservationState
import java.nio.file.Files
import java.nio.file.Path
import java.sql.Connection
import java.sql.DriverManager
import java.sql.SQLException
import java.util.UUID
import kotlin.io.path.readLines
import kotlin.io.path.readText
import kotlin.jvm.optionals.getOrNull

/** A database of our own that can be killed in the middle of anything and started again on what it had written, and that can be stopped. */
internal class LedgerDatabase(home: Path, private val folder: Path, val kind: LedgerKind = LedgerKind.POSTGRESQL) : AutoCloseable {
    private val log = folder.resolve("${kind.word}.log")
    private val data = Files.createDirectory(folder.resolve(kind.word))

    /** Of whoever runs now: first the program that makes the database, then the database itself. */
    private var leash: Leash = Leash.start(
        listOf(java(), "-Xmx128m", "-jar", "target/${kind.jar}.jar", "--database=${kind.word}", "--folder=$data", "--articles=none"),
        home.resolve(kind.home), log,
    )
    private val given: Map<String, String> = try {
        await(kind.word) {
            check(leash.isAlive) { "${kind.word} did not start; see $log" }
            log.readLines().firstOrNull { it.startsWith(READY) }
        }.removePrefix(READY).split(' ').associate { it.substringBefore('=') to it.substringAfter('=') }
    } catch (failure: Exception) {
        leash.close()
        throw failure
    }

    /** Largest size of a file that it may write, in bytes, from its next start on: to what is larger its disk is full. Null for any. */
    var maxFileBytes: Long? = null

    private val jdbc get() = given.getValue("jdbc")
    val port: Int get() = Regex(":(\\d+)/").find(jdbc)!!.groupValues[1].toInt()
    val user get() = given.getValue("user")
    val password get() = given.getValue("password")

    /** `kill -9` for every process of it, then a new start. Returns when it can be asked again. */
    fun kill() {
        val processes = processes()
        val command = restart(processes.first())
        processes.forEach { it.destroyForcibly() }
        await("the end of ${kind.word}") { Unit.takeIf { !leash.isAlive } }
        leash.close()
        leash = Leash.start(command, folder, log)
        await("${kind.word} after its death") {
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

    /** Runs [block] while every process of it stands still (SIGSTOP); then all of them go on. */
    fun <T> paused(block: () -> T): T {
        val numbers = processes().map { "${it.pid()}" }
        fun signal(name: String) = ProcessBuilder(listOf("kill", "-$name") + numbers).start().waitFor()
        signal("STOP")
        try {
            return block()
        } finally {
            signal("CONT")
        }
    }

    /** The first of them has begun all others. */
    private fun processes(): List<ProcessHandle> {
        val family = ProcessHandle.of(leash.pid).map { root -> listOf(root) + root.descendants().toList() }.orElse(emptyList())
        val own = family.filter { it.info().command().orElse("").endsWith("/${kind.program}") }
        return own.sortedBy { it.parent().getOrNull() in own }
    }

    private fun restart(first: ProcessHandle): List<String> {
        val info = first.info()
        val command = kind.again(listOf(info.command().orElseThrow()) + info.arguments().orElseThrow())
        val most = maxFileBytes ?: return command
        // Without the signal that would end it: where a disk is full there is none.
        val limited = "trap '' XFSZ; ulimit -f ${most / ULIMIT_BLOCK}; exec \"$@\""
        return listOf("/bin/sh", "-c", limited, "limited") + kind.small(command)
    }

    /** The address for who goes by way of something that listens at [other]. */
    fun jdbcThrough(other: Int) = jdbc.replace(":$port/", ":$other/")

    /** Every reservation of [event]. */
    fun entries(event: Long): List<LedgerEntry> = asked { books ->
        books.prepareStatement(ENTRIES.format(kind.clock)).use { statement ->
            statement.setLong(1, event)
            statement.executeQuery().use { rows ->
                buildList {
                    while (rows.next()) {
                        val key = IdempotencyKey.of(rows.getString("idempotency_key"))!!
                        val state = ReservationState.valueOf(rows.getString("state"))
                        add(LedgerEntry(rows.getObject("id", UUID::class.java), key, rows.getInt("seats"), state))
                    }
                }
            }
        }
    }

    /** The seats of [event], as one statement sees them, whichever way they are kept. A hold that nobody has ended yet is held. */
    fun snapshot(event: Long): LedgerSnapshot = asked { books ->
        books.prepareStatement(SNAPSHOT).use { statement ->
            statement.setLong(1, event)
            statement.executeQuery().use { rows ->
                check(rows.next()) { "there is no event $event" }
                LedgerSnapshot(rows.getInt("remaining"), rows.getInt("held"), rows.getInt("confirmed"))
            }
        }
    }

    /** Whether it has said these [words] in its log. */
    fun hasLogged(words: String): Boolean = words in log.readText()

    /** What [question] finds out over a connection of its own, past any proxy. */
    fun <T> asked(question: (Connection) -> T): T = open().use(question)

    /** Has the row of the [event] until [block] is over, so nobody else can sell seats of it. */
    fun <T> locking(event: Long, block: () -> T): T = asked { books ->
        books.autoCommit = false
        books.createStatement().use { it.execute("select id from event where id = $event for update") }
        block()
    }

    private fun open(): Connection = DriverManager.getConnection(jdbc, user, password)

    override fun close() = leash.close()

    private companion object {
        /** A hold that is over is so, whether somebody has written that down or not. */
        const val ENTRIES = "select id, idempotency_key, seats, " +
            "case when state = 'HELD' and expires_at <= %s then 'EXPIRED' else state end as state from reservation where event = ?"
        const val SNAPSHOT = """
            select case when e.seats = 'ROWS' then (select count(*) from seat s where s.event = e.id and s.reservation is null)
                        else e.remaining end as remaining,
                   (select coalesce(sum(r.seats), 0) from reservation r where r.event = e.id and r.state = 'HELD') as held,
                   (select coalesce(sum(r.seats), 0) from reservation r where r.event = e.id and r.state = 'CONFIRMED') as confirmed
            from event e where e.id = ?"""
        const val READY = "ready "
        const val RETRY_MILLIS = 200L

        /** Of the shell's `ulimit -f` (POSIX). */
        const val ULIMIT_BLOCK = 512
    }
}

internal fun java(): String = Path.of(System.getProperty("java.home"), "bin", "java").toString()
