package threadgauge.contract.check.work

/**
 * The string that `/api/random/string/{length}` must return. Bodies of articles follow the same rule from another
 * [seed].
 *
 * It shares no code with the servers on purpose: shared code could be wrong in both. The rule:
 *
 * 1. The state s is an unsigned 64-bit number and starts as [seed]. All arithmetic is modulo 2⁶⁴.
 * 2. For each character, s grows by 9E3779B97F4A7C15₁₆.
 * 3. z = s; z = (z ⊕ z≫30) × BF58476D1CE4E5B9₁₆; z = (z ⊕ z≫27) × 94D049BB133111EB₁₆; z = z ⊕ z≫31 (SplitMix64).
 * 4. The character is number ⌊⌊z ÷ 2³²⌋ × 62 ÷ 2³²⌋, counted from 0, of `A…Z`, `a…z`, `0…9`.
 */
fun referenceString(length: Int, seed: Int = length): String {
    var s = seed.toULong()
    return String(
        CharArray(length) {
            s += 0x9E3779B97F4A7C15uL
            var z = s
            z = (z xor (z shr 30)) * 0xBF58476D1CE4E5B9uL
            z = (z xor (z shr 27)) * 0x94D049BB133111EBuL
            z = z xor (z shr 31)
            alphabet[((z shr 32) * 62u shr 32).toInt()]
        },
    )
}

private val alphabet = ('A'..'Z') + ('a'..'z') + ('0'..'9')
