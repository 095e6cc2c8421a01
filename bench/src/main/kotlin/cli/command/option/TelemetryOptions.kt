package threadgauge.cli.command.option

import com.github.ajalt.clikt.core.UsageError
import com.github.ajalt.clikt.parameters.groups.OptionGroup
import com.github.ajalt.clikt.parameters.options.convert
import com.github.ajalt.clikt.parameters.options.multiple
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.mordant.rendering.TextColors.yellow
import com.github.ajalt.mordant.rendering.TextStyles.dim
import com.github.ajalt.mordant.terminal.Terminal
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.NetworkInterface
import java.net.URI
import java.net.URISyntaxException
import java.net.UnknownHostException
import threadgauge.model.request.ServiceUrl
import threadgauge.store.RecordFolder
import threadgauge.telemetry.OtlpOrder
import threadgauge.telemetry.Telemetry
import threadgauge.telemetry.TelemetryOrder
import threadgauge.wording.failure.words

/** Options of `run`, `try` and `knee`: where figures go while a run goes on. */
internal class TelemetryOptions : OptionGroup() {
    private val otlp by option(
        "--otlp", metavar = "URL", help = "Push figures of the run to this OpenTelemetry collector (OTLP over HTTP)",
    ).convert { text -> collectorUrl(text) ?: fail(NO_COLLECTOR) }
    private val headers by option(
        "--otlp-header", metavar = "NAME=VALUE", help = "Header for the collector, such as a key; may be given again",
    ).convert { text -> header(text) ?: fail(NO_HEADER) }.multiple()
    private val prometheus by option(
        "--prometheus", metavar = "[HOST:]PORT", help = "Serve figures of the run at /metrics, on 127.0.0.1 by default",
    ).convert { text -> scrapeAddress(text) ?: fail(NO_ADDRESS) }

    val order: TelemetryOrder by lazy {
        TelemetryOrder(otlp?.let { OtlpOrder(it, headers.toMap()) }, prometheus)
    }

    /** Throws [UsageError] if the options do not go together. */
    fun verify() {
        if (headers.isNotEmpty() && otlp == null) throw UsageError("--otlp-header needs --otlp")
        val twice = headers.groupBy { (name, _) -> name.lowercase() }.values.firstOrNull { it.size > 1 } ?: return
        throw UsageError("--otlp-header ${twice.first().first} is given twice")
    }
}

/** The messages never quote what was given, which may be a secret. */
private const val NO_COLLECTOR =
    "it must be an http or https URL without user and password, such as http://localhost:4318"
private const val NO_HEADER =
    "it must be NAME=VALUE, without control characters; OTLP itself sets Host, Content-Type and the like"
private const val NO_ADDRESS =
    "it must be a port from 0 to 65535, or an address of this machine and a port, such as 0.0.0.0:9464"

/** [text] as a URL that a collector may have; null if it is none. */
internal fun collectorUrl(text: String): String? {
    val url = ServiceUrl.of(text)?.takeIf { it.scheme == "http" || it.scheme == "https" } ?: return null
    val isUsable = try {
        URI("$url").host != null && url.effectivePort in 1..MAX_PORT
    } catch (_: URISyntaxException) {
        false
    }
    return "$url".takeIf { isUsable }
}

/** Name and value of a header (RFC 9110, section 5); null if [text] is none, or one that the client sets itself. */
internal fun header(text: String): Pair<String, String>? {
    val (name, value) = HEADER.matchEntire(text)?.destructured ?: return null
    return (name to value.trim()).takeIf { name.lowercase() !in OF_THE_CLIENT }
}

private val HEADER = Regex("""([!#$%&'*+.^_`|~0-9A-Za-z-]+)=([\t\x20-\x7E\x80-\xFF]*)""")
private val OF_THE_CLIENT = setOf(
    "accept-encoding", "connection", "content-encoding", "content-length", "content-type", "expect", "host",
    "transfer-encoding", "upgrade",
)

/** The address to listen on: loopback unless [text] has a host, which must be an address of this machine. */
internal fun scrapeAddress(text: String): InetSocketAddress? {
    val (ipv6, name, digits) = SCRAPE_ADDRESS.matchEntire(text)?.destructured ?: return null
    val port = digits.toIntOrNull()?.takeIf { it <= MAX_PORT } ?: return null
    return try {
        val host = InetAddress.getByName(ipv6.ifEmpty { name }.ifEmpty { LOOPBACK })
        val isHere = host.isAnyLocalAddress || host.isLoopbackAddress || NetworkInterface.getByInetAddress(host) != null
        InetSocketAddress(host, port).takeIf { isHere }
    } catch (_: UnknownHostException) {
        null
    }
}

private val SCRAPE_ADDRESS = Regex("""(?:(?:\[([0-9A-Fa-f:.%]+)]|([^\s:\[\]/]+)):)?(\d{1,5})""")
private const val LOOPBACK = "127.0.0.1"
private const val MAX_PORT = 65_535

/**
 * Opens what [order] asks for, for the run of [experiment] with its record in [folder], and reports on the [terminal];
 * null for nothing. Throws `Failed` if a port is in use.
 */
internal fun telemetryFor(
    order: TelemetryOrder,
    folder: RecordFolder,
    terminal: Terminal,
    experiment: () -> String,
): Telemetry? {
    if (order.isEmpty) return null
    val telemetry = Telemetry.open(order, experiment(), run = "${folder.path.fileName}") {
        terminal.println(yellow("  ${it.words()}"), stderr = true)
    }
    telemetry.scraped?.let {
        val host = it.address.hostAddress.let { ip -> if (':' in ip) "[$ip]" else ip }
        terminal.println(dim("Figures for Prometheus: http://$host:${it.port}/metrics"), stderr = true)
    }
    return telemetry
}
