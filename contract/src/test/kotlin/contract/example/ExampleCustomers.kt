package threadgauge.contract.example

import com.sun.net.httpserver.HttpExchange
import javax.xml.parsers.DocumentBuilderFactory
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonObject
import org.w3c.dom.Element
import threadgauge.contract.check.customer.BodyKind
import threadgauge.contract.check.customer.answerTo

/** The reply to a customer. It reads the kinds only in the forms that the checks send. */
internal fun replyToCustomer(exchange: HttpExchange): Reply {
    val body = exchange.requestBody.readBytes()
    val type = exchange.requestHeaders.getFirst("Content-Type")?.substringBefore(';')
    val kind = BodyKind.entries.find { it.type == type }
    val accepted = (exchange.requestHeaders.getFirst("Accept") ?: "*/*").split(", ")
        .filterNot { "q=0.5" in it }.map { it.substringBefore(';') }
    val answered = accepted.firstNotNullOfOrNull { range ->
        BodyKind.entries.find { range in setOf(it.type, "application/*", "*/*") }
    }
    return when {
        exchange.requestMethod != "POST" -> problem(405, "Method Not Allowed", "this path accepts only POST")
        kind == null -> problem(415, "Unsupported Media Type", "the body must be $THREE")
        answered == null -> problem(406, "Not Acceptable", "the answer can be $THREE")
        body.size > 100_000 -> problem(413, "Content Too Large", "the body must be at most 100000 bytes long")
        else -> replyTo(fieldsOf(kind, body), answered)
    }
}

private fun replyTo(sent: Map<String, String>?, kind: BodyKind): Reply {
    val wrong = if (sent == null) "the body is not a customer" else firstWrong(sent)
    if (wrong != null) return problem(400, "Bad Request", wrong)
    val bytes = kind.write(answerTo(checkNotNull(sent)))
    // As many characters as bytes, because a reply holds a text and CBOR is none.
    return Reply(201, kind.type, String(bytes, Charsets.ISO_8859_1), charset = Charsets.ISO_8859_1)
}

private fun firstWrong(sent: Map<String, String>): String? = when {
    length(sent["first_name"]) !in 1..100 -> "first_name must be 1 to 100 characters"
    length(sent["last_name"]) !in 1..100 -> "last_name must be 1 to 100 characters"
    length(sent["email"]) !in 1..200 || sent.getValue("email").count { it == '@' } != 1 ->
        "email must be 1 to 200 characters with exactly one @"
    length(sent["note"]) > 500 -> "note must be at most 500 characters"
    else -> null
}

private fun length(text: String?) = text?.codePoints()?.count()?.toInt() ?: 0

/** Null where the body is not a customer. */
private fun fieldsOf(kind: BodyKind, body: ByteArray): Map<String, String>? = try {
    val all = when (kind) {
        BodyKind.JSON -> fromJson(body.decodeToString())
        BodyKind.XML -> fromXml(body)
        BodyKind.CBOR -> Cbor(body).whole() as Map<*, *>
    }
    FIELDS.mapNotNull { name -> all[name]?.let { name to it as String } }.toMap()
        .onEach { (_, text) -> check(!HALF_CHARACTER.containsMatchIn(text)) }
} catch (_: Exception) {
    null
}

private fun fromJson(text: String): Map<String, Any?> =
    Json.parseToJsonElement(text).jsonObject.mapValues { (_, value) ->
        if (value is JsonPrimitive && value.isString) value.content else if (value is JsonNull) null else value
    }

private fun fromXml(body: ByteArray): Map<String, Any?> {
    val factory = DocumentBuilderFactory.newInstance()
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true)
    val builder = factory.newDocumentBuilder().apply { setErrorHandler(null) }
    val root = builder.parse(body.inputStream()).documentElement
    check(root.tagName == "customer")
    val children = (0 until root.childNodes.length).map { root.childNodes.item(it) }.filterIsInstance<Element>()
    return children.associate { it.tagName to if (it.getElementsByTagName("*").length == 0) it.textContent else it }
}

/** The parts of CBOR that the checks use. */
private class Cbor(private val bytes: ByteArray) {
    private var at = 0

    fun whole(): Any? = item().also { check(at == bytes.size) }

    private fun item(): Any? {
        val head = next()
        val least = head and 0x1F
        return when (head shr 5) {
            0 -> length(least)
            3 -> length(least).let { String(bytes, at, it).also { _ -> at += it } }
            4 -> List(length(least)) { item() }
            5 -> if (least == 31) endless() else (1..length(least)).associate { item() to item() }
            7 -> null
            else -> error("unknown")
        }
    }

    private fun endless(): Map<Any?, Any?> = buildMap {
        while (bytes[at].toInt() != -1) put(item(), item())
        at++
    }

    private fun length(least: Int): Int = when (least) {
        24 -> next()
        25 -> next() * 256 + next()
        else -> least
    }

    private fun next() = bytes[at++].toInt() and 0xFF
}

private val FIELDS = listOf("first_name", "last_name", "email", "note")
private val HALF_CHARACTER = Regex("[\\uD800-\\uDBFF](?![\\uDC00-\\uDFFF])")
private const val THREE = "application/json, application/xml or application/cbor"
