package threadgauge.stats

/**
 * Has a warm-up curve become flat? Yes when the last [window] stretches differ by no more than [tolerance], the highest from the lowest.
 *
 * A tenth, because stretches of a second differ by that much on a shared machine when nothing changes any more. Two stretches alone
 * could be alike by chance on a rising curve; so whoever asks must ask besides that the compiler has fallen silent.
 *
 * [perSecond] are the rates of successive stretches of one situation, in order.
 */
fun isFlat(perSecond: List<Double>, window: Int = 2, tolerance: Double = 0.10): Boolean {
    if (perSecond.size < window + 1) return false
    val last = perSecond.takeLast(window)
    return last.min() > 0 && last.max() <= (1 + tolerance) * last.min()
}
