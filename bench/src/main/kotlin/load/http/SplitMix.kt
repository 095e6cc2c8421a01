package threadgauge.load.http

/** Random numbers as a function of their index: the same index gives the same number on every machine. */
internal object SplitMix {
    /**
     * Odd increments with well-mixed bits: 2⁶⁴ divided by the golden ratio (Knuth, *Sorting and Searching*, 6.4), and
     * the fraction of √2 likewise.
     */
    const val GOLDEN = -0x61c8864680b583ebL
    const val PLACE = 0x6A09E667F3BCC909L

    /** The finalizer of SplitMix64 (Steele, Lea and Flood, *Fast Splittable Pseudorandom Number Generators*, 2014). */
    fun mix(value: Long): Long {
        var z = value
        z = (z xor (z ushr 30)) * -0x40a7b892e31b1a47L
        z = (z xor (z ushr 27)) * -0x6b2fb644ecceee15L
        return z xor (z ushr 31)
    }

    /**
     * Maps [random] to `0..<size`, uniformly up to a bias of size ÷ 2⁶⁴ (Lemire, *Fast Random Integer Generation in an
     * Interval*, 2019). A size of 0 means 2⁶⁴.
     */
    fun below(size: Long, random: Long) = if (size == 0L) random else Math.unsignedMultiplyHigh(random, size)
}
