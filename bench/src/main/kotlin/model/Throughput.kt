package threadgauge.model

/** Correct answers per second: [answered] of them in a window of [millis]. 0 where the window has no length. */
fun throughput(answered: Long, millis: Double): Double = if (millis > 0) answered / (millis / 1e3) else 0.0
