package threadgauge.experiment.target

import java.net.URI
import java.net.URISyntaxException
import threadgauge.experiment.yaml.quoted
import threadgauge.experiment.yaml.slug
import threadgauge.model.ConcurrencyModel
import threadgauge.model.Stack
import threadgauge.model.request.MAX_PORT
import threadgauge.model.request.ServiceUrl
import threadgauge.model.request.isThisMachine

/** A service that runs already, as a stack. Its path, if it has one, is part of [Stack.url]. */
internal fun readUrl(text: String, mayLoad: Set<String>): Stack {
    val url = ServiceUrl.of(text.substringBefore('#'))
    val authority = text.substringAfter("://").substringBefore('/').substringBefore('?')
    when {
        '@' in authority ->
            throw wrongTarget("a URL here has no user and password", "Give a header in a --request file.")
        url == null -> throw noUrl(text)
        url.scheme !in SCHEMES ->
            throw wrongTarget("${quoted(url.scheme)} cannot be spoken", "Write http:// or https://.")
        url.port != null && url.port !in 1..MAX_PORT ->
            throw wrongTarget("there is no port ${url.port}", "Ports are 1 to $MAX_PORT.")
        '#' in text -> throw wrongTarget("what follows # is never sent to a server", "Leave it out.")
    }
    val reached = if (url.host in EVERYWHERE) url.copy(host = EVERYWHERE.getValue(url.host)) else url
    refuseOtherHosts(TARGET, listOf(reached.host), mayLoad)
    // Names of this machine that are numbers alone say little, and less as parts of names of files.
    val place = if (isThisMachine(reached.host)) reached.copy(host = "localhost").place else reached.place
    return Stack(
        name = slug(place),
        title = place,
        model = ConcurrencyModel.UNKNOWN,
        setting = YOUR_OWN,
        command = emptyList(),
        folder = "",
        keepsContract = false,
        url = reached.toString(),
    )
}

/** Path and query of a URL; null where it has none but the slash that browsers add to every address. */
internal fun pathOf(url: String): String? =
    ServiceUrl.of(url)?.pathAndQuery?.takeIf { it.isNotEmpty() && it != "/" }
        ?.let { if (it.startsWith('?')) "/$it" else it }

private fun noUrl(text: String): Exception {
    val reason = try {
        if (URI(text).authority == null) {
            return wrongTarget("${quoted(text)} names no host", "Write one such as $EXAMPLE.")
        }
        "no host, or a port that is no number"
    } catch (wrong: URISyntaxException) {
        wrong.reason
    }
    return wrongTarget("${quoted(text)} is not a URL ($reason)", "Write one such as $EXAMPLE.")
}

/** Servers print these when they listen on every address; a client reaches them by the loopback one. */
private val EVERYWHERE = mapOf("0.0.0.0" to "127.0.0.1", "::" to "::1", "0:0:0:0:0:0:0:0" to "::1")
private val SCHEMES = setOf("http", "https")
private const val EXAMPLE = "http://localhost:8080/orders"
