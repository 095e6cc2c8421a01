package threadgauge.probe

/**
 * Cost of reading the clock once, in nanoseconds, including the call. The minimum of several batches, because
 * disturbances only make a batch slower. Takes some milliseconds with a fast clock.
 */
fun clockReadNanos(): Double = (1..BATCHES).minOf {
    val start = System.nanoTime()
    var last = start
    repeat(READS) { last = System.nanoTime() }
    (last - start).toDouble() / READS
}

private const val BATCHES = 20
private const val READS = 5_000
