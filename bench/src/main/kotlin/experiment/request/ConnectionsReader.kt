package threadgauge.experiment.request

import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.YamlMap
import threadgauge.experiment.yaml.YamlNode
import threadgauge.experiment.yaml.YamlScalar
import threadgauge.experiment.yaml.choice
import threadgauge.experiment.yaml.fail
import threadgauge.experiment.yaml.fields
import threadgauge.experiment.yaml.members
import threadgauge.experiment.yaml.nanos
import threadgauge.experiment.yaml.quoted
import threadgauge.experiment.yaml.referencedFile
import threadgauge.experiment.yaml.scalar
import threadgauge.experiment.yaml.wholeNumber
import threadgauge.experiment.yaml.yesOrNo
import threadgauge.model.Load
import threadgauge.model.request.Connections
import threadgauge.model.request.Cookies
import threadgauge.model.request.Protocol
import threadgauge.model.request.Tls

/** Reads the use of connections, such as `{protocol: http/2, streams: 10, tls: yes}`. Does not access the machine. */
internal fun ParseContext.connections(node: YamlNode): Connections? {
    val before = mistakeCount
    val fields = fields(node, "connections", KEYS, EXAMPLE) ?: return null
    val usual = Connections()
    val protocol = fields.optional("protocol")?.let { choice(it, "protocol", PROTOCOLS) } ?: usual.protocol
    val streams = fields.optional("streams")?.let { wholeNumber(it, "streams", 1..MAX_STREAMS) } ?: usual.streams
    val tls = fields.optional("tls")?.let { tls(it) }
    val reuse = fields.optional("reuse")?.let { yesOrNo(it, "reuse") } ?: true
    val most = fields.optional("max-under-way")?.let { wholeNumber(it, "max-under-way", 1..MAX_UNDER_WAY) }
        ?: usual.maxUnderWay
    val atOnce = fields.optional("connect")?.let { choice(it, "connect", PACES) } ?: usual.atOnce
    val delay = fields.optional("delay")?.let { nanos(it, "delay", "100us", "1s") } ?: usual.delayNanos
    val sources = fields.optional("from")?.let { sources(it) }.orEmpty()
    val maxHeaderBytes = fields.optional("max-header-bytes")?.let { maxHeaderBytes(it, "max-header-bytes") }
        ?: usual.maxHeaderBytes
    val repeats = fields.optional("repeat-unprocessed")?.let { yesOrNo(it, "repeat-unprocessed") } ?: false
    val cookies = fields.optional("cookies")?.let { yesOrNo(it, "cookies") } ?: false
    if (mistakeCount > before) return null
    if (streams > 1 && protocol != Protocol.HTTP_2) {
        val remedy = "Add protocol: http/2, or leave \"streams\" out."
        wrong(fields.keyNode("streams"), "HTTP/1.1 has one request at a time on a connection", remedy)
    }
    if (!reuse && protocol == Protocol.HTTP_2) {
        wrong(
            fields.keyNode("reuse"),
            "an HTTP/2 connection is made to be kept",
            "Write protocol: http/1.1, or leave \"reuse\" out.",
        )
    }
    if (!reuse && "connect" in fields) {
        val problem = "\"connect\" says how connections are opened before the load, and with \"reuse: no\" none is"
        wrong(fields.keyNode("connect"), problem, "Leave one of them out.")
    }
    if (mistakeCount > before) return null
    return Connections(
        protocol, tls, !reuse, streams, most, atOnce, sources, delayNanos = delay,
        cookies = if (cookies) Cookies() else null, maxHeaderBytes = maxHeaderBytes, repeatUnprocessed = repeats,
    )
}

/** At least a kilobyte, because usual headers have some hundred bytes. */
internal fun ParseContext.maxHeaderBytes(node: YamlNode, key: String): Int? =
    wholeNumber(node, key, 1_000..MAX_MAX_HEADER_BYTES)

/** Reports keys of [node] that apply to none of [loads]. */
internal fun ParseContext.refuseConnectionsUnfitFor(node: YamlNode, loads: List<Load>) {
    val map = node as? YamlMap ?: return
    val key = map.keyNode("max-under-way") ?: map.keyNode("most-under-way") ?: return
    if (loads.any { it is Load.Open }) return
    wrong(key, "\"max-under-way\" is for open loads; here the number of users is the limit", "Leave it out.")
}

private fun ParseContext.tls(node: YamlNode): Tls? {
    if (node is YamlScalar) return if (yesOrNo(node, "tls") == true) Tls() else null
    val fields = fields(node, "tls", listOf("authorities", "insecure"), TLS_EXAMPLE) ?: return null
    val insecure = fields.optional("insecure")?.let { yesOrNo(it, "insecure") } ?: false
    val authorities = fields.optional("authorities")?.let { authorities(it) }
    if (insecure && "authorities" in fields) {
        wrong(
            fields.keyNode("insecure"),
            "with any certificate accepted, authorities have no effect",
            "Leave one of them out.",
        )
    }
    return Tls(authorities, insecure)
}

private fun ParseContext.authorities(node: YamlNode): String? {
    val text = referencedFile(
        node, "authorities", "the name of a PEM file in the folder of this one, such as ca.pem", LARGEST_PEM,
    ) ?: return null
    if ("PRIVATE KEY-----" in text) {
        return fail(node, "this file holds a private key", "Name a file with certificates alone.")
    }
    return if (CERTIFICATE in text) {
        text
    } else {
        fail(node, "this file holds no certificate", "In PEM one begins with $CERTIFICATE.")
    }
}

private fun ParseContext.sources(node: YamlNode): List<String> {
    val sources = LinkedHashSet<String>()
    for (member in members(node, "from", "[127.0.0.1, 127.0.0.2]").orEmpty()) {
        val text = scalar(member, "from", "an address such as 127.0.0.2") ?: continue
        when {
            !isAddress(text) -> wrong(
                member, "${quoted(text)} is not an IP address", "Write a local address, such as 127.0.0.2 or ::1.",
            )
            !sources.add(text) -> wrong(member, "the address ${quoted(text)} is named twice", "Leave one out.")
        }
    }
    return sources.toList()
}

private val KEYS = listOf(
    "protocol", "streams", "tls", "reuse", "max-under-way", "connect", "delay", "from", "max-header-bytes",
    "repeat-unprocessed", "cookies",
)
internal val PROTOCOLS = mapOf("http/1.1" to Protocol.HTTP_1_1, "http/2" to Protocol.HTTP_2)
private val PACES = mapOf("paced" to false, "at once" to true)
private const val MAX_STREAMS = 1_000
private const val MAX_UNDER_WAY = 1_000_000
private const val MAX_MAX_HEADER_BYTES = 100_000_000
private const val LARGEST_PEM = 1_000_000
private const val CERTIFICATE = "-----BEGIN CERTIFICATE-----"
private const val EXAMPLE = "{protocol: http/2, streams: 10, tls: yes}"
private const val TLS_EXAMPLE = "tls: yes, tls: {authorities: ca.pem} or tls: {insecure: yes}"
