package threadgauge.server.articles

import threadgauge.server.work.randomString

/**
 * A row of the table. The properties stand in alphabetical order: some JSON libraries keep the order of the class and
 * others sort, and all stacks must write the same bytes.
 */
data class Article(val author: String, val body: String, val id: Int, val title: String)

/** Articles are numbered from 1 to this. */
const val ARTICLES = 100_000

/** The article of this number, the same in every database. As JSON it has about 230 bytes. */
fun article(id: Int): Article {
    require(id in 1..ARTICLES)
    return Article("Author ${id % AUTHORS}", randomString(BODY_LENGTH, seed = id.toLong()), id, "Article $id")
}

private const val AUTHORS = 1_000
private const val BODY_LENGTH = 160
