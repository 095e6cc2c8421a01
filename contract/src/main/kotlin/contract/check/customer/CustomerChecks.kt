package threadgauge.contract.check.customer

import threadgauge.contract.check.Check
import threadgauge.contract.check.customer.CustomerSamples as Samples
import threadgauge.contract.check.protocol.mustBeProblem
import threadgauge.contract.client.Answer
import threadgauge.contract.client.ContractClient

/** Customers as JSON, XML and CBOR. The stacks' libraries differ, their bytes must not. */
internal val customerChecks: List<Check> = listOf(
    Check("/customers answers in the kind that the client accepts, and in JSON where it accepts any", CUSTOMERS) {
        val json = listOf(
            null, "*/*", "application/*", "application/xml;q=0.5, application/json", "text/html, */*;q=0.1",
        )
        json.forEach { post(Samples.adaInJson, BodyKind.JSON.type, it).mustBeCreated(BodyKind.JSON, Samples.ada) }
        BodyKind.entries.forEach {
            post(Samples.adaInJson, BodyKind.JSON.type, it.type).mustBeCreated(it, Samples.ada)
        }
    },
    Check("/customers reads JSON, XML and CBOR", CUSTOMERS) {
        BodyKind.entries.forEach { post(it.write(Samples.ada), it.type).mustBeCreated(BodyKind.JSON, Samples.ada) }
        post(Samples.adaInJson, "application/json; charset=UTF-8").mustBeCreated(BodyKind.JSON, Samples.ada)
        post(Samples.cborOfKnownLength, BodyKind.CBOR.type).mustBeCreated(BodyKind.JSON, Samples.ada)
    },
    Check("/customers keeps every character", CUSTOMERS) {
        BodyKind.entries.forEach {
            post(it.write(Samples.colourful), it.type, it.type).mustBeCreated(it, Samples.colourful)
        }
    },
    Check("/customers ignores unknown fields, and leaves out null ones", CUSTOMERS) {
        Samples.withUnknownFields.forEach { (kind, body) ->
            post(body, kind.type).mustBeCreated(BodyKind.JSON, Samples.ada)
        }
    },
    Check("/customers rejects a body that is not a customer", CUSTOMERS) {
        Samples.notCustomers.forEach { (kind, bodies) ->
            bodies.forEach { post(it, kind.type).mustBeRejected(NOT_A_CUSTOMER) }
        }
    },
    Check("/customers reads no file that an XML entity names", CUSTOMERS) {
        post(Samples.externalEntity, BodyKind.XML.type).mustBeRejected(NOT_A_CUSTOMER)
    },
    Check("/customers accepts fields of the maximum length, in characters", CUSTOMERS) {
        post(BodyKind.JSON.write(Samples.longest), BodyKind.JSON.type).mustBeCreated(BodyKind.JSON, Samples.longest)
    },
    Check("/customers rejects a missing or invalid field, and reports the first one", CUSTOMERS) {
        Samples.invalidFields.forEach { (sent, detail) ->
            post(BodyKind.JSON.write(sent), BodyKind.JSON.type).mustBeRejected(detail)
        }
        BodyKind.entries.forEach {
            post(it.write(Samples.ada - "last_name"), it.type).mustBeRejected(Samples.LAST_NAME)
        }
    },
    Check("/customers rejects other methods with 405, and names POST in Allow", CUSTOMERS) {
        listOf("GET", "PUT", "DELETE").forEach {
            send(it, CUSTOMERS).mustBeProblem(405, "Method Not Allowed", "this path accepts only POST").apply {
                must(header("allow") == "POST") { "expected the header Allow to be POST, got ${header("allow")}" }
            }
        }
    },
    Check("/customers rejects bodies of another kind with 415", CUSTOMERS) {
        listOf(null, "text/plain", "text/xml").forEach { post(Samples.adaInJson, it).mustBe415() }
        // Of several mistakes each stack reports the first of: method, body's kind, answer's kind, length, body.
        post(Samples.notACustomer, "text/plain", "text/html").mustBe415()
    },
    Check("/customers answers with 406 where the client accepts no kind that is served", CUSTOMERS) {
        listOf(Samples.adaInJson, Samples.notACustomer).forEach {
            post(it, BodyKind.JSON.type, "text/html").mustBeProblem(406, "Not Acceptable", "the answer can be $KINDS")
        }
    },
    Check("/customers rejects bodies of more than $MAX_BODY_BYTES bytes with 413, and no shorter ones", CUSTOMERS) {
        val longest = Samples.adaInJson.let { it + ByteArray(MAX_BODY_BYTES - it.size) { BLANK } }
        post(longest, BodyKind.JSON.type).mustBeCreated(BodyKind.JSON, Samples.ada)
        post(longest + BLANK, BodyKind.JSON.type)
            .mustBeProblem(413, "Content Too Large", "the body must be at most $MAX_BODY_BYTES bytes long")
    },
)

private fun ContractClient.post(body: ByteArray, type: String?, accept: String? = null): Answer {
    val headers = buildMap {
        type?.let { put("Content-Type", it) }
        accept?.let { put("Accept", it) }
    }
    return send("POST", CUSTOMERS, headers, body)
}

private fun Answer.mustBeCreated(kind: BodyKind, sent: Map<String, String>) =
    mustHaveStatus(201).mustBeOfType(kind.type).apply {
        val expected = kind.write(answerTo(sent))
        must(body.contentEquals(expected)) {
            "expected body ${Answer.quoted(expected.decodeToString())}, got ${Answer.quoted(text)}"
        }
    }

private fun Answer.mustBeRejected(detail: String) = mustBeProblem(400, "Bad Request", detail)

private fun Answer.mustBe415() = mustBeProblem(415, "Unsupported Media Type", "the body must be $KINDS")

internal const val CUSTOMERS = "/customers"
private const val KINDS = "application/json, application/xml or application/cbor"
private const val MAX_BODY_BYTES = 100_000
private const val BLANK = ' '.code.toByte()
private const val NOT_A_CUSTOMER = "the body is not a customer"
