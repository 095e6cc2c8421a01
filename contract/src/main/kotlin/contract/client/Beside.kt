package threadgauge.contract.client

import java.io.IOException
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse.BodyHandlers
import java.time.Duration

/**
 * What stands beside the server and counts what it was asked: a stack that does more than it should cannot keep that from those it asks.
 * Null where nothing stands there, or where it does not count, as a database inside the server. Immutable.
 */
class Beside(
    /** The backend: its `GET /stats` tells how many calls there were. */
    private val upstream: URI? = null,
    /** Where the database tells how many statements there were, how many rows they gave, and how often each was asked by its words. */
    private val statements: URI? = null,
) {
    /** Calls that the backend has got. Null without one. */
    internal fun calls(): Long? = upstream?.let { number("requests", ask(it.resolve("stats"))) }

    /** Calls that the backend has got and not answered yet. Null without one. */
    fun callsUnderWay(): Long? = upstream?.let { number("waiting", ask(it.resolve("stats"))) }

    /** What the database was asked. Null where it does not tell. */
    internal fun asked(): Asked? = statements?.let(::ask)?.let { Asked(number("statements", it), number("rows", it)) }

    /** How often the database was asked by which words, constants left out. Null where it does not tell. */
    internal fun words(): Map<String, Long>? = statements?.let(::ask)
        ?.let { text -> WORDS.findAll(text).associate { it.groupValues[2] to it.groupValues[1].toLong() } }

    internal data class Asked(val statements: Long, val rows: Long) {
        operator fun minus(before: Asked) = Asked(statements - before.statements, rows - before.rows)
    }

    private fun ask(place: URI): String = try {
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).build().use {
            it.send(HttpRequest.newBuilder(place).timeout(PATIENCE).build(), BodyHandlers.ofString()).body()
        }
    } catch (failure: IOException) {
        throw Broken("GET $place, which counts what the server asks, failed: $failure")
    }

    private fun number(name: String, text: String): Long = Regex("(?m)^$name ([0-9]+)$").find(text)?.groupValues?.get(1)?.toLong()
        ?: throw Broken("what counts the server's $name does not tell: ${Answer.quoted(text)}")

    companion object {
        val NOTHING = Beside()
        private val WORDS = Regex("(?m)^asked ([0-9]+) (.+)$")
        private val PATIENCE = Duration.ofSeconds(20)

        /** Of what services gave, by name. */
        fun of(places: Map<String, String>) = Beside(places["upstream"]?.let(::URI), places["statements"]?.let(::URI))
    }
}
