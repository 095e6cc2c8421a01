package threadgauge.contract.check.article

import threadgauge.contract.check.work.referenceString

/**
 * Article number [id] as JSON, members in alphabetical order and without blanks. Written apart from the servers' own
 * code on purpose, as [referenceString] is. Nothing in it needs to be escaped.
 */
internal fun referenceArticle(id: Int): String {
    val body = referenceString(length = 160, seed = id)
    return """{"author":"Author ${id % 1_000}","body":"$body","id":$id,"title":"Article $id"}"""
}

/** The articles of these numbers: each once, by number. */
internal fun referenceArticles(ids: Collection<Int>): String = ids.toSortedSet().joinToString(",", "[", "]", transform = ::referenceArticle)

/** The body of a correct answer to `GET` [path], which may have a query; null where [path] is not about articles, or a mistake. */
internal fun expectedArticles(path: String): String? {
    val (plain, query) = path.substringBefore('?') to path.substringAfter('?', "")
    if (plain.startsWith("$ARTICLES_PATH/")) return numberOf(plain.removePrefix("$ARTICLES_PATH/"))?.let(::referenceArticle)
    if (plain != ARTICLES_PATH) return null
    val asked = query.split('&').filter { it.startsWith("ids=") }.ifEmpty { return null }
    val list = asked.joinToString(",") { it.removePrefix("ids=") }.replace("%2C", ",", ignoreCase = true)
    val ids = list.split(',').map { numberOf(it) ?: return null }
    return if (ids.size <= IDS_MOST) referenceArticles(ids) else null
}

private fun numberOf(text: String): Int? = text.takeIf { NUMBER.matches(it) }?.toInt()?.takeIf { it in 1..ARTICLES }

private val NUMBER = Regex("[0-9]{1,9}")

const val ARTICLES_PATH = "/api/articles"
internal const val ARTICLES = 100_000
internal const val IDS_MOST = 1_000
