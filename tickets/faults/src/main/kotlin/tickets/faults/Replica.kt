package threadgauge.tickets.faults

import threadgauge.target.Leash
import threadgauge.target.Target
import java.net.URI
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.nio.file.Path
import java.time.Duration

/**
 * One service that sells, which can be killed or stopped for a while. Its port stays the same, and so does how far its clock is [clockOffset] of
 * this machine's. For one thread at a time.
 */
internal class Replica(
    private val home: Path,
    private val folder: Path,
    number: Int,
    private val database: LedgerDatabase,
    private val proxy: FaultProxy,
    private val strategy: String,
    /** Address of the Redis that services share; null where the [strategy] needs none. */
    private val redis: String?,
    private val clockOffset: Duration = Duration.ZERO,
    /** By their names, beside the usual ones or in their place. */
    private val settings: Map<String, String> = emptyMap(),
) : AutoCloseable {
    private val port = Target.freePort()
    private val log = folder.resolve("tickets-$number.log")
    val url = URI("http://127.0.0.1:$port")
    private val saved = ClassArchive(home.resolve("tickets/service/target/tickets.jar").toAbsolutePath())
    private var leash: Leash

    init {
        leash = firstStart()
    }

    private fun firstStart(): Leash {
        // Classes that an agent changes as they are loaded are not saved.
        if (clockOffset.isZero) saved.make { option ->
            leash = start(listOf(option))
            try {
                awaitReady()
                end()
            } finally {
                leash.close()
            }
        }
        return start()
    }

    private fun start(option: List<String> = saved.option): Leash {
        val clock = if (clockOffset.isZero) emptyList() else listOf(ShiftedClock.option(clockOffset, folder))
        val usual = mapOf(
            "server.port" to "$port", "server.address" to "127.0.0.1", "tickets.strategy" to strategy, "tickets.rehearsal" to "0s",
        )
        val command = listOf(java(), "-Xmx256m", "-XX:TieredStopAtLevel=1") + option + clock + listOf("-jar", "target/tickets.jar") +
            (usual + settings).map { (name, value) -> "--$name=$value" }
        val environment = mapOf(
            "TICKETS_DATABASE_URL" to database.jdbcThrough(proxy.port), "TICKETS_DATABASE_USER" to database.user,
            "TICKETS_DATABASE_PASSWORD" to database.password, "TICKETS_ADMINTOKEN" to ADMIN_TOKEN,
        ) + redis?.let { mapOf("TICKETS_REDIS" to it) }.orEmpty()
        return Leash.start(command, home.resolve("tickets/service"), log, environment)
    }

    fun awaitReady() = await("$url") { Unit.takeIf { isReady() } }

    /** A service that cannot reach its books when it starts ends, and is started again here, as Kubernetes would do. */
    fun isReady(): Boolean {
        if (!leash.isAlive) restart()
        val readiness = HttpRequest.newBuilder(url.resolve("/health/readiness")).timeout(Duration.ofSeconds(2)).build()
        return runCatching { http.send(readiness, HttpResponse.BodyHandlers.discarding()).statusCode() }.getOrNull() == OK
    }

    /**
     * Opens the sale of [capacity] seats, held for [hold] each, and gives the number of its event. A fault may still be on its way, such
     * as a connection that is cut before its next request. So where the service cannot tell whether there is an event it is asked again;
     * one too many is sold by nobody.
     */
    fun open(capacity: Int, hold: Duration = Duration.ofDays(1)): Long = await("an event at $url") {
        val sale = """{"name": "Soak", "capacity": $capacity, "holdSeconds": ${hold.toSeconds()}}"""
        val request = HttpRequest.newBuilder(url.resolve("/events"))
            .header("Content-Type", "application/json").header("Authorization", "Bearer $ADMIN_TOKEN")
            .POST(HttpRequest.BodyPublishers.ofString(sale))
        val answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString())
        if (answer.statusCode() == UNKNOWN) return@await null
        check(answer.statusCode() == CREATED) { "no event was opened: ${answer.statusCode()} ${answer.body()}" }
        answer.headers().firstValue("location").orElseThrow().substringAfterLast('/').toLong()
    }

    /** `kill -9`, and a new start, for which this does not wait. */
    fun kill() {
        killWithoutRestart()
        restart()
    }

    /** `kill -9`. */
    fun killWithoutRestart() {
        ProcessHandle.of(leash.pid).ifPresent { it.destroyForcibly() }
        leash.close()
    }

    /** SIGTERM, as whoever rolls a new version out sends it, and a new start when it has ended by itself, for which this does not wait. */
    fun restartGracefully() {
        end()
        restart()
    }

    private fun end() {
        signal("TERM")
        check(leash.awaitEnd(Duration.ofMinutes(1))) { "$url did not end within a minute; see $log" }
    }

    /** SIGSTOP, and SIGCONT after so long: whoever has its leases and connections finds them as they were. */
    fun pauseFor(millis: Long) {
        stop()
        Thread.sleep(millis)
        resume()
    }

    /** SIGSTOP. */
    fun stop() = signal("STOP")

    /** SIGCONT. */
    fun resume() = signal("CONT")

    private fun signal(name: String) {
        ProcessBuilder("kill", "-$name", "${leash.pid}").start().waitFor()
    }

    private fun restart() {
        leash.close()
        leash = start()
    }

    override fun close() = leash.close()

    companion object {
        const val ADMIN_TOKEN = "of the faults"
        private const val OK = 200
        private const val CREATED = 201
        private const val UNKNOWN = 503
    }
}
