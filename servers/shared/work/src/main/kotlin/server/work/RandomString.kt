package threadgauge.server.work

/** Longest string of `/api/random/string/{length}`, in characters. */
const val MAX_LENGTH = 1_000_000

/**
 * The work of `/api/random/string/{length}`: CPU alone, done anew at each request, the same text for the same length.
 *
 * The generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014). Its
 * state starts at [seed], here the length itself. For each character the state grows by the golden gamma and is mixed
 * to 64 bits. The upper 32 bits, read as an unsigned number u, choose the character at ⌊u × 62 ÷ 2³²⌋ of `A…Z a…z 0…9`.
 */
fun randomString(length: Int, seed: Long = length.toLong()): String {
    require(length in 0..MAX_LENGTH)
    var state = seed
    return buildString(length) {
        repeat(length) {
            state += GOLDEN_GAMMA
            append(CHARACTERS[(((mixed(state) ushr 32) * CHARACTERS.length) ushr 32).toInt()])
        }
    }
}

private const val CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

private const val GOLDEN_GAMMA = -0x61c8864680b583ebL

private fun mixed(state: Long): Long {
    val once = (state xor (state ushr 30)) * -0x40a7b892e31b1a47L
    val twice = (once xor (once ushr 27)) * -0x6b2fb644ecceee15L
    return twice xor (twice ushr 31)
}
