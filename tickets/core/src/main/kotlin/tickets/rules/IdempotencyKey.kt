package threadgauge.tickets.rules

/**
 * Identifies a request, so that a retry after a lost answer does not buy twice. Chosen by the client and unique over
 * all events. 1 to [MAX_LENGTH] visible ASCII characters, because it travels in a header and is stored and logged as it
 * is.
 */
@JvmInline
value class IdempotencyKey private constructor(val text: String) {
    override fun toString() = text

    companion object {
        const val MAX_LENGTH = 100

        /** Null if [text] is not a valid key. */
        fun of(text: String): IdempotencyKey? =
            if (text.length in 1..MAX_LENGTH && text.all { it in '!'..'~' }) IdempotencyKey(text) else null
    }
}
