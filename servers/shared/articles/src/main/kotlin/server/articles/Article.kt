package threadgauge.server.articles

import threadgauge.server.work.randomString

/**
 * A row of the table. The properties are in alphabetical order: some JSON libraries keep the order of the class, others
 * sort, and all stacks must write the same bytes.
 */
data class Article(val author: String, val body: String, val id: Int, val title: String)

/** Ids of articles count from 1 to this. */
const val ARTICLES = 100_000

/** The article with this [id], the same in every database. As JSON it has about 230 bytes. */
fun article(id: Int): Article {
    require(id in 1..ARTICLES)
    return Article("Author ${id % AUTHORS}", randomString(BODY_LENGTH, seed = id.toLong()), id, "Article $id")
}

private const val AUTHORS = 1_000
private const val BODY_LENGTH = 160
