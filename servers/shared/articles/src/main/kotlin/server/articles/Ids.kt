package threadgauge.server.articles

import threadgauge.server.work.BadRequest

/** Most articles that one request may ask for. */
const val MAX_IDS = 1_000

/** The `ids` of a query, as they were written: in any order, and a number may come again. Null where there are none. */
fun idsOf(text: String?): List<Int> {
    val words = text?.split(',', limit = MAX_IDS + 1) ?: throw wrongIds()
    if (words.size > MAX_IDS) throw wrongIds()
    return words.map { numberOf(it) ?: throw wrongIds() }
}

/** The `id` of a path. */
fun idOf(text: String): Int = numberOf(text) ?: throw BadRequest("id must be a whole number from 1 to $ARTICLES")

private fun wrongIds() = BadRequest("ids must be 1 to $MAX_IDS whole numbers from 1 to $ARTICLES, separated by commas")

/** Decimal digits only, so that a sign or a blank is a mistake on all stacks. */
private fun numberOf(text: String): Int? =
    text.takeIf { it.isNotEmpty() && it.all { digit -> digit in '0'..'9' } }?.toIntOrNull()?.takeIf { it in 1..ARTICLES }
