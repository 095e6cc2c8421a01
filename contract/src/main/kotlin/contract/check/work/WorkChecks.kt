package threadgauge.contract.check.work

import java.security.MessageDigest
import java.util.HexFormat
import threadgauge.contract.check.Check

/** The endpoints that are measured: the right work, done anew each time. */
internal val workChecks: List<Check> = buildList {
    add(
        Check("/hello says hello as plain text in UTF-8", "/hello") {
            get("/hello").mustBePlainText().mustHaveBody(HELLO)
        },
    )

    waits.forEach { (endpoint, word) ->
        add(
            Check("$endpoint waits as long as its path says, every time", endpoint) {
                // The same path twice, because an answer from a cache would arrive too early.
                listOf(0, WAIT_MILLIS, WAIT_MILLIS).forEach { millis ->
                    get("$endpoint/$millis").mustBePlainText().mustHaveBody("$word $millis").mustTakeAtLeast(millis)
                }
            },
        )
    }

    add(
        Check("/api/random/string returns the string that its length determines", "/api/random") {
            knownStrings.forEach { (length, string) ->
                get("/api/random/string/$length").mustBePlainText().mustHaveBody(string)
            }
            get("/api/random/string/$LONG").mustBePlainText().apply {
                must(body.size == LONG) { "expected $LONG bytes, got ${body.size}" }
                val hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body))
                must(hash == LONG_SHA_256) { "expected a body with SHA-256 $LONG_SHA_256, got $hash" }
            }
        },
    )
}

/** Long enough to distinguish a wait from none on a busy machine, short enough to be checked before every trial. */
internal const val WAIT_MILLIS = 25

/** Computed apart from every implementation here, by a Python script of the algorithm that [referenceString] states. */
internal val knownStrings = mapOf(0 to "", 1 to "j", 2 to "ku", 16 to "WE0knOXAi2pnB0On")

internal const val LONG = 100_000
internal const val LONG_SHA_256 = "62d7eb3e7d0dfce1b51ab618802994bb3dfa3f5000619042e9442e44746851ca"
