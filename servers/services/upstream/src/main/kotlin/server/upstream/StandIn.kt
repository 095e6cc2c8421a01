package threadgauge.server.upstream

/**
 * Stands in for somebody's backend: answers any request in the same way. Owned by the only event loop.
 *
 * Delays are spread evenly between [minMillis] and [maxMillis], and errors evenly over the requests, so that two runs
 * of the same requests meet the same backend.
 */
internal class StandIn(
    private val minMillis: Long,
    private val maxMillis: Long,
    /** Share of the requests that are answered with 500, 0 to 1. */
    private val errors: Double,
    val body: String,
    val type: String,
) {
    private var requests = 0L

    /** What becomes of the next request. */
    fun next(): Fate {
        val number = requests++
        // The nth error is due when n whole errors fit into the requests so far (Bresenham's line).
        val isError = ((number + 1) * errors + ROUNDING).toLong() > (number * errors + ROUNDING).toLong()
        // Multiples of the golden ratio, without their whole parts, are spread as evenly as numbers can be.
        val share = (number * GOLDEN_RATIO).let { it - it.toLong() }
        return Fate(minMillis + (share * (maxMillis - minMillis + 1)).toLong(), isError)
    }

    class Fate(val millis: Long, val isError: Boolean)

    companion object {
        const val ERROR = "the stand-in fails as configured"
        private const val GOLDEN_RATIO = 0.6180339887498949

        /** A sum such as 100 × 0.01 may be a little less than 1. */
        private const val ROUNDING = 1e-9

        /**
         * From the options of the program, without their dashes: `delay=80` or `delay=80..120` in milliseconds, and
         * where wanted `errors=0.01`, `body=…` and `type=…`. Throws [IllegalArgumentException] where one is wrong.
         */
        fun of(options: Map<String, String>): StandIn {
            val ends = options.getValue("delay").split("..").map { it.toLongOrNull() ?: -1 }
            val errors = options["errors"]?.toDoubleOrNull() ?: if ("errors" in options) -1.0 else 0.0
            require(ends.size in 1..2 && ends.all { it in 0..MAX_MILLIS } && ends.first() <= ends.last()) {
                "delay must be 0 to $MAX_MILLIS milliseconds, or two such as 80..120"
            }
            require(errors in 0.0..1.0) { "errors must be a share from 0 to 1" }
            return StandIn(ends.first(), ends.last(), errors, options["body"] ?: "ok", options["type"] ?: TEXT)
        }

        internal const val TEXT = "text/plain;charset=UTF-8"
        private const val MAX_MILLIS = 60_000L
    }
}
