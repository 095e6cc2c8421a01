package threadgauge.tickets.faults

import java.net.URI
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.nio.file.Path
import java.time.Duration
import threadgauge.target.SupervisedProcess
import threadgauge.target.Target

/**
 * One service, which can be killed, restarted or paused. Its port and the offset of its clock stay the same. Not
 * thread-safe.
 */
internal class Replica(
    private val home: Path,
    private val folder: Path,
    number: Int,
    private val database: LedgerDatabase,
    private val proxy: FaultProxy,
    private val strategy: String,
    /** Address of the Redis that services share; null if the [strategy] needs none. */
    private val redis: String?,
    /** How far its clock is ahead of this machine's; negative if it is behind. */
    private val clockOffset: Duration = Duration.ZERO,
    /** Settings by name, in addition to the defaults or in their place. */
    private val settings: Map<String, String> = emptyMap(),
) : AutoCloseable {
    private val port = Target.freePort()
    private val log = folder.resolve("tickets-$number.log")
    val url = URI("http://127.0.0.1:$port")
    private val archive = ClassArchive(home.resolve("tickets/service/target/tickets.jar").toAbsolutePath())
    private var process: SupervisedProcess

    init {
        process = firstStart()
    }

    private fun firstStart(): SupervisedProcess {
        // The archive does not work with classes that an agent transforms.
        if (clockOffset.isZero) archive.make { option ->
            process = start(listOf(option))
            try {
                awaitReady()
                end()
            } finally {
                process.close()
            }
        }
        return start()
    }

    private fun start(option: List<String> = archive.option): SupervisedProcess {
        val clock = if (clockOffset.isZero) emptyList() else listOf(ShiftedClock.option(clockOffset, folder))
        val defaults = mapOf(
            "server.port" to "$port", "server.address" to "127.0.0.1",
            "tickets.strategy" to strategy, "tickets.rehearsal" to "0s",
        )
        val command = listOf(java(), "-Xmx256m", "-XX:TieredStopAtLevel=1") + option + clock +
            listOf("-jar", "target/tickets.jar") + (defaults + settings).map { (name, value) -> "--$name=$value" }
        val environment = mapOf(
            "TICKETS_DATABASE_URL" to database.jdbcThrough(proxy.port), "TICKETS_DATABASE_USER" to database.user,
            "TICKETS_DATABASE_PASSWORD" to database.password, "TICKETS_ADMINTOKEN" to ADMIN_TOKEN,
        ) + redis?.let { mapOf("TICKETS_REDIS" to it) }.orEmpty()
        return SupervisedProcess.start(command, home.resolve("tickets/service"), log, environment)
    }

    fun awaitReady() = await("$url") { Unit.takeIf { isReady() } }

    /** Restarts a service that has ended because its ledger was down at its start, as Kubernetes would do. */
    fun isReady(): Boolean {
        if (!process.isAlive) restart()
        val readiness =
            HttpRequest.newBuilder(url.resolve("/health/readiness")).timeout(Duration.ofSeconds(2)).build()
        val answer = runCatching { http.send(readiness, HttpResponse.BodyHandlers.discarding()) }
        return answer.getOrNull()?.statusCode() == OK
    }

    /** See [openEvent]. */
    fun open(capacity: Int, hold: Duration = Duration.ofDays(1)): Long = openEvent(url, ADMIN_TOKEN, capacity, hold)

    /** Kills it with SIGKILL and starts it again, without waiting until it is ready. */
    fun kill() {
        killWithoutRestart()
        restart()
    }

    /** Kills it with SIGKILL. */
    fun killWithoutRestart() {
        ProcessHandle.of(process.pid).ifPresent { it.destroyForcibly() }
        process.close()
    }

    /** Ends it with SIGTERM, as a rolling update does, and starts it again, without waiting until it is ready. */
    fun restartGracefully() {
        end()
        restart()
    }

    private fun end() {
        signal("TERM")
        check(process.awaitEnd(Duration.ofMinutes(1))) { "$url did not end within a minute; see $log" }
    }

    /** Pauses it for [millis]. Its leases may expire meanwhile, and its connections stay open. */
    fun pauseFor(millis: Long) {
        pause()
        Thread.sleep(millis)
        resume()
    }

    /** SIGSTOP. */
    fun pause() = signal("STOP")

    /** SIGCONT. */
    fun resume() = signal("CONT")

    private fun signal(name: String) {
        ProcessBuilder("kill", "-$name", "${process.pid}").start().waitFor()
    }

    private fun restart() {
        process.close()
        process = start()
    }

    override fun close() = process.close()

    companion object {
        const val ADMIN_TOKEN = "of the faults"
        private const val OK = 200
    }
}
