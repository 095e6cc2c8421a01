package threadgauge.tickets.rules

/**
 * Names one wish of one caller, so that asking again after a lost answer does not buy twice. Chosen by the caller; unique over all
 * events. 1 to [MAX_LENGTH] visible characters of ASCII: it travels in a header, and is stored and logged as it is.
 */
@JvmInline
value class IdempotencyKey private constructor(val text: String) {
    override fun toString() = text

    companion object {
        const val MAX_LENGTH = 100

        /** Null for what is no key. */
        fun of(text: String): IdempotencyKey? =
            if (text.length in 1..MAX_LENGTH && text.all { it in '!'..'~' }) IdempotencyKey(text) else null
    }
}
