package threadgauge.contract.check.protocol

import threadgauge.contract.check.Check
import threadgauge.contract.check.work.LENGTH_MOST
import threadgauge.contract.check.work.MILLIS_MOST
import threadgauge.contract.check.work.waits

/** Requests that cannot be served are refused in the same words by all stacks, and no stack shows its insides. */
internal val mistakeChecks: List<Check> = buildList {
    waits.keys.forEach { endpoint ->
        add(
            Check("$endpoint refuses what is not a whole number from 0 to $MILLIS_MOST", endpoint) {
                val detail = "ms must be a whole number from 0 to $MILLIS_MOST"
                (noNumbers + "${MILLIS_MOST + 1}").forEach { get("$endpoint/$it").mustBeProblem(400, "Bad Request", detail) }
            },
        )
    }
    add(
        Check("/api/random/string refuses what is not a whole number from 0 to $LENGTH_MOST", "/api/random") {
            val detail = "length must be a whole number from 0 to $LENGTH_MOST"
            (noNumbers + "${LENGTH_MOST + 1}").forEach { get("/api/random/string/$it").mustBeProblem(400, "Bad Request", detail) }
        },
    )
    add(
        Check("an unknown path is answered with 404 and a problem document", "/hello") {
            get("/nowhere").mustBeProblem(404, "Not Found", "nothing is served at this path")
        },
    )
    add(
        Check("another method than GET is answered with 405, a problem document and Allow", "/hello") {
            send("POST", "/hello").mustBeProblem(405, "Method Not Allowed", "this path answers to GET").apply {
                val allowed = header("allow").orEmpty().split(',').map { it.trim() }
                must("GET" in allowed) { "expected the header Allow to name GET, got ${header("allow")}" }
            }
        },
    )
    addAll(rawChecks)
}

internal val noNumbers = listOf("-1", "+1", "1.5", "ten", "99999999999999999999")
