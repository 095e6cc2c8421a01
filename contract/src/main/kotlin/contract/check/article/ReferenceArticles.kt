package threadgauge.contract.check.article

import threadgauge.contract.check.work.referenceString

/**
 * The article with this [id] as JSON, members in alphabetical order and without blanks. It shares no code with the
 * servers on purpose, as [referenceString]. Nothing in it needs to be escaped.
 */
internal fun referenceArticle(id: Int): String {
    val body = referenceString(length = 160, seed = id)
    return """{"author":"Author ${id % 1_000}","body":"$body","id":$id,"title":"Article $id"}"""
}

/** The articles with these ids: each once, ordered by id. */
internal fun referenceArticles(ids: Collection<Int>): String =
    ids.toSortedSet().joinToString(",", "[", "]", transform = ::referenceArticle)

/** The body of a correct answer to `GET` [path] with its query. Null where [path] is not about articles, or invalid. */
internal fun expectedArticles(path: String): String? {
    val (plain, query) = path.substringBefore('?') to path.substringAfter('?', "")
    if (plain.startsWith("$ARTICLES_PATH/")) {
        return idOf(plain.removePrefix("$ARTICLES_PATH/"))?.let(::referenceArticle)
    }
    if (plain != ARTICLES_PATH) return null
    val parameters = query.split('&').filter { it.startsWith("ids=") }.ifEmpty { return null }
    val list = parameters.joinToString(",") { it.removePrefix("ids=") }.replace("%2C", ",", ignoreCase = true)
    val ids = list.split(',').map { idOf(it) ?: return null }
    return if (ids.size <= MAX_IDS) referenceArticles(ids) else null
}

private fun idOf(text: String): Int? = text.takeIf { NUMBER.matches(it) }?.toInt()?.takeIf { it in 1..ARTICLES }

private val NUMBER = Regex("[0-9]{1,9}")

const val ARTICLES_PATH = "/api/articles"

/** Rows in the table; their ids count from 1. */
internal const val ARTICLES = 100_000
internal const val MAX_IDS = 1_000
