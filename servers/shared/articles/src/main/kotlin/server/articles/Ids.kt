package threadgauge.server.articles

import threadgauge.server.work.BadRequest

/** Limit of ids in one request. */
const val MAX_IDS = 1_000

/**
 * The `ids` of a query in the given order, duplicates included. [text] is null where the query has none. Throws
 * [BadRequest].
 */
fun idsOf(text: String?): List<Int> {
    val words = text?.split(',', limit = MAX_IDS + 1) ?: throw invalidIds()
    if (words.size > MAX_IDS) throw invalidIds()
    return words.map { numberOf(it) ?: throw invalidIds() }
}

/** The `id` of a path. Throws [BadRequest]. */
fun idOf(text: String): Int = numberOf(text) ?: throw BadRequest("id must be a whole number from 1 to $ARTICLES")

private fun invalidIds() =
    BadRequest("ids must be 1 to $MAX_IDS whole numbers from 1 to $ARTICLES, separated by commas")

/** Decimal digits only, so that every stack rejects a sign or a blank. */
private fun numberOf(text: String): Int? =
    text.takeIf { it.isNotEmpty() && it.all { digit -> digit in '0'..'9' } }?.toIntOrNull()
        ?.takeIf { it in 1..ARTICLES }
