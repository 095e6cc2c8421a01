package threadgauge.contract.check.protocol

import threadgauge.contract.check.Check
import threadgauge.contract.check.work.MAX_LENGTH
import threadgauge.contract.check.work.MAX_MILLIS
import threadgauge.contract.check.work.waits
import threadgauge.contract.client.ContractClient

/** All stacks reject invalid requests in the same words, and no stack shows its internals. */
internal val invalidRequestChecks: List<Check> = buildList {
    waits.keys.forEach { endpoint ->
        add(
            Check("$endpoint rejects anything but a whole number from 0 to $MAX_MILLIS", endpoint) {
                val detail = "ms must be a whole number from 0 to $MAX_MILLIS"
                (invalidNumbers + "${MAX_MILLIS + 1}").forEach {
                    get("$endpoint/$it").mustBeProblem(400, "Bad Request", detail)
                }
            },
        )
    }
    add(
        Check("/api/random/string rejects anything but a whole number from 0 to $MAX_LENGTH", "/api/random") {
            val detail = "length must be a whole number from 0 to $MAX_LENGTH"
            (invalidNumbers + "${MAX_LENGTH + 1}").forEach {
                get("/api/random/string/$it").mustBeProblem(400, "Bad Request", detail)
            }
        },
    )
    add(
        Check("an unknown path is answered with 404 and a problem document", "/hello") {
            get("/nowhere").mustBeProblem(404, "Not Found", "nothing is served at this path")
        },
    )
    add(
        Check("a method other than GET is answered with 405, a problem document and Allow", "/hello") {
            send("POST", "/hello").mustBeProblem(405, "Method Not Allowed", "this path accepts only GET").apply {
                val allowed = header("allow").orEmpty().split(',').map { it.trim() }
                must("GET" in allowed) { "expected the header Allow to name GET, got ${header("allow")}" }
            }
        },
    )
    addAll(malformedRequestChecks)
}

/** Texts that are no whole number from 0 on, or too large for an `Int`. */
internal val invalidNumbers = listOf("-1", "+1", "1.5", "ten", "99999999999999999999")

/** Whatever stands for the number [name] in [path] is rejected, unless it is one from [least] to [most]. */
internal fun ContractClient.mustReject(name: String, least: Int, most: Int, path: (String) -> String) {
    val detail = "$name must be a whole number from $least to $most"
    (invalidNumbers + listOf("${least - 1}", "${most + 1}")).forEach {
        get(path(it)).mustBeProblem(400, "Bad Request", detail)
    }
}
