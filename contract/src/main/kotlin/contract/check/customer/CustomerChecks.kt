package threadgauge.contract.check.customer

import threadgauge.contract.check.Check
import threadgauge.contract.check.protocol.mustBeProblem
import threadgauge.contract.client.Answer
import threadgauge.contract.client.Visit

/** Customers come and go as JSON, XML and CBOR. The libraries differ, the bytes must not. */
val customerChecks: List<Check> = listOf(
    Check("/customers answers with the kind that the client accepts, and with JSON where it takes any", CUSTOMERS) {
        listOf(null, "*/*", "application/*", "application/xml;q=0.5, application/json", "text/html, */*;q=0.1").forEach {
            post(Kind.JSON.write(Samples.ada), Kind.JSON.type, it).mustBeCreated(Kind.JSON, Samples.ada)
        }
        Kind.entries.forEach { post(Kind.JSON.write(Samples.ada), Kind.JSON.type, it.type).mustBeCreated(it, Samples.ada) }
    },
    Check("/customers reads JSON, XML and CBOR", CUSTOMERS) {
        Kind.entries.forEach { post(it.write(Samples.ada), it.type).mustBeCreated(Kind.JSON, Samples.ada) }
        post(Kind.JSON.write(Samples.ada), "application/json; charset=UTF-8").mustBeCreated(Kind.JSON, Samples.ada)
        post(Samples.cborOfKnownLength, Kind.CBOR.type).mustBeCreated(Kind.JSON, Samples.ada)
    },
    Check("/customers keeps every character", CUSTOMERS) {
        Kind.entries.forEach { post(it.write(Samples.colourful), it.type, it.type).mustBeCreated(it, Samples.colourful) }
    },
    Check("/customers passes over what it does not know, and leaves out what is null", CUSTOMERS) {
        Samples.stranger.forEach { (kind, body) -> post(body, kind.type).mustBeCreated(Kind.JSON, Samples.ada) }
    },
    Check("/customers refuses what is not a customer", CUSTOMERS) {
        Samples.noCustomers.forEach { (kind, bodies) -> bodies.forEach { post(it, kind.type).mustBeRefused(NOT_A_CUSTOMER) } }
    },
    Check("/customers reads no file that an entity of XML names", CUSTOMERS) {
        post(Samples.bomb, Kind.XML.type).mustBeRefused(NOT_A_CUSTOMER)
    },
    Check("/customers takes fields as long as is allowed, in characters", CUSTOMERS) {
        post(Kind.JSON.write(Samples.longest), Kind.JSON.type).mustBeCreated(Kind.JSON, Samples.longest)
    },
    Check("/customers refuses a field that is missing or wrong, and tells of the first", CUSTOMERS) {
        Samples.wrongFields.forEach { (sent, detail) -> post(Kind.JSON.write(sent), Kind.JSON.type).mustBeRefused(detail) }
        Kind.entries.forEach { post(it.write(Samples.ada - "last_name"), it.type).mustBeRefused(Samples.LAST_NAME) }
    },
    Check("/customers answers other methods with 405, and names POST in Allow", CUSTOMERS) {
        listOf("GET", "PUT", "DELETE").forEach {
            send(it, CUSTOMERS).mustBeProblem(405, "Method Not Allowed", "this path answers to POST").apply {
                must(header("allow") == "POST") { "expected the header Allow to be POST, got ${header("allow")}" }
            }
        }
    },
    Check("/customers answers bodies of another kind with 415", CUSTOMERS) {
        listOf(null, "text/plain", "text/xml").forEach { post(Kind.JSON.write(Samples.ada), it).mustBe415() }
        // Of several that are wrong, each stack tells of the same: the method, the body's kind, the answer's, the length, the body.
        post(Samples.nothing, "text/plain", "text/html").mustBe415()
    },
    Check("/customers answers with 406 where the client accepts nothing that is served", CUSTOMERS) {
        listOf(Kind.JSON.write(Samples.ada), Samples.nothing).forEach {
            post(it, Kind.JSON.type, "text/html").mustBeProblem(406, "Not Acceptable", "the answer can be $KINDS")
        }
    },
    Check("/customers answers bodies of more than $BODY_MOST bytes with 413, and no shorter ones", CUSTOMERS) {
        val fullest = Kind.JSON.write(Samples.ada).let { it + ByteArray(BODY_MOST - it.size) { ' '.code.toByte() } }
        post(fullest, Kind.JSON.type).mustBeCreated(Kind.JSON, Samples.ada)
        post(fullest + ' '.code.toByte(), Kind.JSON.type)
            .mustBeProblem(413, "Content Too Large", "the body must be at most $BODY_MOST bytes long")
    },
)

private fun Visit.post(body: ByteArray, type: String?, accept: String? = null): Answer {
    val headers = buildMap {
        type?.let { put("Content-Type", it) }
        accept?.let { put("Accept", it) }
    }
    return send("POST", CUSTOMERS, headers, body)
}

private fun Answer.mustBeCreated(kind: Kind, sent: Map<String, String>) = mustHaveStatus(201).mustBeOfType(kind.type).apply {
    val expected = kind.write(answerTo(sent))
    must(body.contentEquals(expected)) { "expected body ${Answer.quoted(expected.decodeToString())}, got ${Answer.quoted(text)}" }
}

private fun Answer.mustBeRefused(detail: String) = mustBeProblem(400, "Bad Request", detail)

private fun Answer.mustBe415() = mustBeProblem(415, "Unsupported Media Type", "the body must be $KINDS")

internal const val CUSTOMERS = "/customers"
private const val KINDS = "application/json, application/xml or application/cbor"
private const val BODY_MOST = 100_000
private const val NOT_A_CUSTOMER = "the body is not a customer"
