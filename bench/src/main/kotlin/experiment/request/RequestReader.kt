package threadgauge.experiment.request

import threadgauge.experiment.claim.example
import threadgauge.experiment.yaml.Fields
import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.YamlMap
import threadgauge.experiment.yaml.YamlNode
import threadgauge.experiment.yaml.choice
import threadgauge.experiment.yaml.fail
import threadgauge.experiment.yaml.fields
import threadgauge.experiment.yaml.name
import threadgauge.experiment.yaml.text
import threadgauge.experiment.yaml.yesOrNo
import threadgauge.model.request.Expectation
import threadgauge.model.request.Piece
import threadgauge.model.request.Request
import threadgauge.model.request.Stream
import threadgauge.model.request.pieces

/** Reads a request: a line such as `GET /hello`, or keys of which `send` is such a line. */
internal fun ParseContext.request(node: YamlNode): Request? =
    if (node is YamlMap) {
        requestWithKeys(node)
    } else {
        requestLine(node, Rows.NONE)?.let { (method, path) -> Request(method, path) }
    }

private fun ParseContext.requestWithKeys(node: YamlMap): Request? {
    val fields = fields(node, "a request", REQUEST_KEYS, REQUEST_EXAMPLE) ?: return null
    return requestOf(fields)
}

/** The request of a step that is a line, which may use what was [kept]. */
internal fun ParseContext.plainRequest(node: YamlNode, kept: Set<String>): Request? =
    requestLine(node, Rows(null, isGiven = false, kept))?.let { (method, path) -> Request(method, path) }

/** The request of [fields], which are those of a request or of a step. It may use what was [kept]. */
internal fun ParseContext.requestOf(fields: Fields, kept: Set<String> = emptySet()): Request? {
    val before = mistakeCount
    val table = fields.optional("csv")?.let { table(it) }
    val rows = Rows(table, isGiven = "csv" in fields, kept)
    val line = fields.required("send", "send: POST /customers")?.let { requestLine(it, rows) }
    val headers = fields.optional("headers")?.let { headers(it, rows) }.orEmpty()
    val body = fields.optional("body")?.let { body(it, rows) }
    val gzip = fields.optional("gzip")?.let { yesOrNo(it, "gzip") } ?: false
    val expect = fields.optional("expect")?.let { expectation(it) }
    val count = fields.optional("count")?.let { jsonPath(it, "count") }
    val stream = fields.optional("stream")?.let { choice(it, "stream", STREAMS) }
    refuseContradictions(fields, line?.first, headers, gzip)
    refuseInStreams(fields, line?.first, stream, expect)
    val used = usedColumns(listOfNotNull(line?.second, body) + headers.values)
    if (rows.table != null && used.isEmpty() && mistakeCount == before) {
        val problem = "nothing in this request uses a column of ${rows.table.file}"
        wrong(fields.keyNode("csv"), problem, "Write ${rows.example()}, or leave it out.")
    }
    if (line == null || mistakeCount > before) return null
    val csv = rows.table?.columns.orEmpty().filterKeys { it in used }
    return Request(
        line.first, line.second, headers, body, gzip, expect ?: Expectation(), count, csv, stream = stream,
    )
}

/** A stream is read as it comes and never kept, so nothing in it can be compared. */
private fun ParseContext.refuseInStreams(fields: Fields, method: String?, stream: Stream?, expect: Expectation?) {
    if (stream == null) {
        if (expect?.messages != null && "stream" !in fields) {
            wrong(fields.keyNode("expect"), "messages are those of a stream", "Add stream: events.")
        }
        return
    }
    for (key in listOf("gzip", "count").filter { it in fields }) {
        wrong(fields.keyNode(key), "a stream is not kept, so \"$key\" has nothing to read", "Leave it out.")
    }
    val looks = expect != null && (expect.body != null || expect.contains != null || expect.json.isNotEmpty())
    if (looks) {
        val problem = "a stream is not kept, so its text cannot be checked"
        wrong(fields.keyNode("expect"), problem, "Check status or messages.")
    }
    if (method == "HEAD") wrong(fields.keyNode("stream"), "the answer to a HEAD is no stream", "Send GET.")
    if (stream == Stream.WEBSOCKET) refuseForSockets(fields, method, expect)
}

/** A WebSocket begins with a GET without a body, and with status 101 (RFC 6455, section 4.1). */
private fun ParseContext.refuseForSockets(fields: Fields, method: String?, expect: Expectation?) {
    if (method != null && method != "GET") {
        wrong(fields.keyNode("stream"), "a WebSocket begins with a GET, and this is a $method", "Send GET.")
    }
    if (expect?.statuses?.isNotEmpty() == true) {
        wrong(fields.keyNode("expect"), "a WebSocket begins with status 101, always", "Leave the status out.")
    }
}

private fun ParseContext.body(node: YamlNode, rows: Rows): String? {
    val body = text(node, "body", "the body in quotes, such as $BODY_EXAMPLE") ?: return null
    template(node, body, rows)
    if (longest(body, rows) > MAX_BODY_LENGTH) return fail(node, "the body can be longer than 10 MB", "Send less.")
    return body
}

private fun ParseContext.refuseContradictions(
    fields: Fields,
    method: String?,
    headers: Map<String, String>,
    gzip: Boolean,
) {
    val names = headers.keys.associateBy { it.lowercase() }
    if ("body" in fields && method in WITHOUT_BODY) {
        wrong(fields.keyNode("body"), "a $method carries no body", "Leave it out, or send POST, PUT, PATCH or DELETE.")
    }
    if ("expect" in names && "body" !in fields) {
        val problem = "\"${names["expect"]}\" asks whether a body may follow, and there is none"
        wrong(fields.keyNode("headers"), problem, "Add a body, or leave it out.")
    }
    if (gzip && "accept-encoding" in names) {
        val problem = "\"gzip\" and \"${names["accept-encoding"]}\" both say how an answer may be compressed"
        wrong(fields.keyNode("gzip"), problem, "Keep one of them.")
    }
    if (method == "HEAD") {
        val asked = (fields.optional("expect") as? YamlMap)?.entries?.keys.orEmpty().filter { it.text != "status" }
        for (key in asked) wrong(key, "the answer to a HEAD has no body to check", "Leave it out, or send GET.")
        if ("count" in fields) {
            wrong(fields.keyNode("count"), "the answer to a HEAD has no body to count in", "Leave it out, or send GET.")
        }
    }
}

private fun usedColumns(templates: List<String>): Set<String> =
    templates.flatMap(::pieces).filterIsInstance<Piece.Column>().mapTo(HashSet()) { it.name }

internal val REQUEST_KEYS = listOf("send", "headers", "body", "csv", "gzip", "expect", "count", "stream")
internal val STREAMS = mapOf("events" to Stream.EVENTS, "websocket" to Stream.WEBSOCKET)
private val WITHOUT_BODY = setOf("GET", "HEAD")
private const val BODY_EXAMPLE = "'{\"user\": \"{seq}\"}'"
private const val REQUEST_EXAMPLE = "GET /hello, or keys such as {send: POST /customers, body: \"…\"}"
private const val MAX_BODY_LENGTH = 10_000_000
