package threadgauge.model

/** Correct answers per second: [answered] in a window of [millis]. 0 for a window of length 0. */
fun throughput(answered: Long, millis: Double): Double = if (millis > 0) answered / (millis / 1e3) else 0.0
