package threadgauge.probe

/**
 * What it costs to read the clock once, in nanoseconds, the call of it included. The quickest of some batches: whatever
 * disturbs one can only make it slower. Takes some milliseconds where the clock is quick.
 */
fun clockReadNanos(): Double = (1..BATCHES).minOf {
    val start = System.nanoTime()
    var last = start
    repeat(READS) { last = System.nanoTime() }
    (last - start).toDouble() / READS
}

private const val BATCHES = 20
private const val READS = 5_000
