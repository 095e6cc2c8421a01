package threadgauge.experiment.target

import java.net.URI
import java.net.URISyntaxException
import threadgauge.experiment.request.isAddress
import threadgauge.experiment.yaml.quoted
import threadgauge.experiment.yaml.slug
import threadgauge.model.ConcurrencyModel
import threadgauge.model.Stack

/** A service that runs already, as a stack. Its path, if it has one, is part of [Stack.url]. */
internal fun readUrl(text: String, mayLoad: Set<String>): Stack {
    val url = try {
        URI(text)
    } catch (wrong: URISyntaxException) {
        throw wrongTarget("${quoted(text)} is not a URL (${wrong.reason})", "Write one such as $EXAMPLE.")
    }
    val host = url.host?.trim('[', ']')?.lowercase()
    when {
        url.scheme !in SCHEMES ->
            throw wrongTarget("${quoted(url.scheme.orEmpty())} cannot be spoken", "Write http:// or https://.")
        host.isNullOrEmpty() -> throw wrongTarget("${quoted(text)} names no host", "Write one such as $EXAMPLE.")
        url.port == 0 || url.port > MAX_PORT ->
            throw wrongTarget("there is no port ${url.port}", "Ports are 1 to $MAX_PORT.")
        url.userInfo != null ->
            throw wrongTarget("a URL here has no user and password", "Give a header in a --request file.")
        url.fragment != null -> throw wrongTarget("what follows # is never sent to a server", "Leave it out.")
        !isLoopback(host) && host !in mayLoad.map { it.trim('[', ']').lowercase() } -> throw wrongTarget(
            "${quoted(host)} is not this machine", "If you may load that server, say so: --i-may-load $host",
        )
    }
    val place = host + if (url.port > 0) ":${url.port}" else ""
    return Stack(
        name = slug(place),
        title = place,
        model = ConcurrencyModel.UNKNOWN,
        setting = YOUR_OWN,
        command = emptyList(),
        folder = "",
        keepsContract = false,
        url = text,
    )
}

/** Path and query of a URL; null where it has none. */
internal fun pathOf(url: String): String? = URI(url).let { place ->
    val path = place.rawPath.orEmpty()
    if (path.isEmpty() && place.rawQuery == null) {
        null
    } else {
        path.ifEmpty { "/" } + (place.rawQuery?.let { "?$it" } ?: "")
    }
}

/** By its name alone: resolving it may take seconds and give another result the next time. */
private fun isLoopback(host: String) =
    host == "localhost" || host == "::1" || host.startsWith("127.") && isAddress(host)

private val SCHEMES = setOf("http", "https")
private const val MAX_PORT = 65_535
private const val EXAMPLE = "http://localhost:8080/orders"
