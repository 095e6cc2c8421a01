package threadgauge.contract.client

import java.io.IOException
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse.BodyHandlers
import java.time.Duration

/**
 * Counters of the server's dependencies: calls at the backend, statements at the database. A stack that does extra work
 * cannot hide it from the processes that it calls. Counts are null where there is no such dependency, or where it does
 * not count, as a database inside the server. Immutable.
 */
class DependencyCounters(
    /** The backend, whose `GET /stats` reports the number of calls. */
    private val upstream: URI? = null,
    /** Reports the database's number of statements, of rows, and of executions per SQL text. */
    private val statements: URI? = null,
) {
    /** Calls that the backend has received. */
    internal fun calls(): Long? = upstream?.let { number("requests", read(it.resolve("stats"))) }

    /** The highest number of calls that waited at the backend at one time, since it started. */
    fun maxCallsInFlight(): Long? = upstream?.let { number("most waiting", read(it.resolve("stats"))) }

    /** Pairs of calls that waited at the backend at one time: 45 for ten calls that all did, none for ten in a row. */
    internal fun overlappingCalls(): Long? = upstream?.let { number("overlaps", read(it.resolve("stats"))) }

    internal fun queries(): Queries? =
        statements?.let(::read)?.let { Queries(number("statements", it), number("rows", it)) }

    /** Executions by SQL text, with constants left out. */
    internal fun executionsBySql(): Map<String, Long>? = statements?.let(::read)
        ?.let { text -> EXECUTIONS.findAll(text).associate { it.groupValues[2] to it.groupValues[1].toLong() } }

    internal data class Queries(val statements: Long, val rows: Long) {
        operator fun minus(before: Queries) = Queries(statements - before.statements, rows - before.rows)
    }

    private fun read(endpoint: URI): String = try {
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build().use {
            it.send(HttpRequest.newBuilder(endpoint).timeout(TIMEOUT).build(), BodyHandlers.ofString()).body()
        }
    } catch (failure: IOException) {
        throw ContractViolation("GET $endpoint, which counts the server's calls and statements, failed: $failure")
    }

    private fun number(name: String, text: String): Long =
        Regex("(?m)^$name ([0-9]+)$").find(text)?.groupValues?.get(1)?.toLong()
            ?: throw ContractViolation("the counter of the server's $name is missing in ${Answer.quoted(text)}")

    companion object {
        val NONE = DependencyCounters()
        private val EXECUTIONS = Regex("(?m)^executed ([0-9]+) (.+)$")
        private val TIMEOUT = Duration.ofSeconds(20)

        /** From the [endpoints] that services print when they are ready, by name. */
        fun of(endpoints: Map<String, String>) =
            DependencyCounters(endpoints["upstream"]?.let(::URI), endpoints["statements"]?.let(::URI))
    }
}
