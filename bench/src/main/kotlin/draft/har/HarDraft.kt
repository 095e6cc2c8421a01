package threadgauge.draft.har

import java.net.URI
import java.net.URISyntaxException
import java.time.Duration
import java.time.OffsetDateTime
import java.time.format.DateTimeParseException
import threadgauge.draft.Draft
import threadgauge.draft.DraftFailed
import threadgauge.draft.DraftScenario
import threadgauge.draft.nameOf

/**
 * An experiment whose users do what was recorded in [text], an HTTP archive: the requests to one server in their order,
 * with the pauses between them, and with what each took from the answers before it.
 *
 * [host] is that server, with its port where it has one; null: that of the first request. Images, styles, scripts and
 * fonts are left out unless [all] are wanted. Throws [DraftFailed].
 */
fun harDraft(text: String, name: String, host: String? = null, all: Boolean = false): Draft {
    val entries = HarFile.of(text).log.entries.mapNotNull { entry -> placeOf(entry)?.let { it to entry } }
    if (entries.isEmpty()) throw DraftFailed("The recording has no request. Record with the network tab open.")
    val chosen = host ?: entries.first().first.host
    val (own, others) = entries.partition { it.first.host == chosen }
    if (own.isEmpty()) {
        val hosts = entries.map { it.first.host }.distinct().joinToString(", ")
        throw DraftFailed("The recording has no request to $chosen. It has those to $hosts.")
    }
    val (wanted, passedOver) = own.partition { (_, entry) -> isWanted(entry, all) }
    if (wanted.isEmpty()) throw DraftFailed("Of ${own.size} requests to $chosen none is to be asked; --all takes all.")
    val steps = HarSteps(wanted).steps()
    return Draft(
        name = nameOf(name, "recorded"),
        question = "How fast is what users did in the recording?",
        target = null,
        scenarios = listOf(DraftScenario("recorded", steps)),
        keepsCookies = wanted.any { (_, entry) -> entry.response.headers.value("Set-Cookie") != null },
        notes = listOfNotNull(
            "From a recording of ${own.size} requests to $chosen.",
            "Left out: requests to other hosts (${others.size}).".takeIf { others.isNotEmpty() },
            ("Left out: images, styles, scripts and fonts, other methods, and what had no good answer " +
                "(${passedOver.size}).").takeIf { passedOver.isNotEmpty() },
            "Requests that a browser sent side by side are sent one after the other.",
            "Credentials were removed: look for $FILL_IN.".takeIf { steps.any { FILL_IN in "${it.headers}" } },
        ),
    )
}

/** Server and path of a recorded request. [path] has its query, both escaped. */
internal class Place(val host: String, val path: String)

private fun placeOf(entry: HarFile.Entry): Place? {
    val uri = try {
        URI(entry.request.url.replace("{", "%7B").replace("}", "%7D").replace("|", "%7C").replace(" ", "%20"))
    } catch (_: URISyntaxException) {
        return null
    }
    if (uri.scheme !in setOf("http", "https") || uri.host == null) return null
    val host = uri.host + if (uri.port < 0) "" else ":${uri.port}"
    return Place(host, uri.rawPath.ifEmpty { "/" } + uri.rawQuery?.let { "?$it" }.orEmpty())
}

private fun isWanted(entry: HarFile.Entry, all: Boolean): Boolean {
    val type = entry.response.content.mimeType.substringBefore(';').trim().lowercase()
    val isStatic = STATIC_TYPES.any { type.startsWith(it) } || STATIC_FILE.containsMatchIn(entry.request.url)
    return entry.request.method in METHODS && entry.response.status in 200..399 && (all || !isStatic)
}

/** Milliseconds between the answer to [before] and the next request, rounded; 0 where it is no pause of a person. */
internal fun pauseMillis(before: HarFile.Entry, next: HarFile.Entry): Long {
    val gap = try {
        val (from, to) = OffsetDateTime.parse(before.startedDateTime) to OffsetDateTime.parse(next.startedDateTime)
        Duration.between(from, to).toMillis() - before.time.toLong()
    } catch (_: DateTimeParseException) {
        return 0
    }
    return if (gap < LEAST_PAUSE_MILLIS) 0 else minOf(MOST_PAUSE_MILLIS, gap / ROUND_MILLIS * ROUND_MILLIS)
}

internal const val FILL_IN = "FILL-IN"
private val METHODS = setOf("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
private val STATIC_TYPES = listOf("image/", "font/", "text/css", "application/javascript", "text/javascript", "video/")
private val STATIC_FILE = Regex("""\.(?:css|js|mjs|map|png|jpe?g|gif|svg|ico|webp|avif|woff2?|ttf|otf|mp4)(?:\?|$)""")

/** Shorter ones are the time of the page's script. */
private const val LEAST_PAUSE_MILLIS = 500L
private const val MOST_PAUSE_MILLIS = 60_000L
private const val ROUND_MILLIS = 100L
