package threadgauge.contract.check.article

import threadgauge.contract.check.Check
import threadgauge.contract.client.Beside
import threadgauge.contract.client.Broken
import threadgauge.contract.client.Visit

internal val extraStatementChecks: List<Check> = listOf(
    Check("/api/articles asks the database once, for the rows that it answers with", ARTICLES_PATH) {
        mustAsk(statements = 1, rows = 3, "$ARTICLES_PATH?ids=3,1,2")
        mustAsk(statements = 1, rows = 2, "$ARTICLES_PATH?ids=5,4,5,5,4")
        mustAsk(statements = 1, rows = 1, "$ARTICLES_PATH/17")
    },
    Check("/api/articles asks the database by the same words as every other stack", ARTICLES_PATH) {
        mustAskBy(ARTICLE_WORDS, "$ARTICLES_PATH?ids=3,1,2")
    },
    Check("what needs no rows asks the database nothing", ARTICLES_PATH) {
        mustAsk(statements = 0, rows = 0, "/hello")
        mustAsk(statements = 0, rows = 0, "$ARTICLES_PATH/0", status = 400)
    },
)

/**
 * The least of several attempts counts: a pool that opens a connection meanwhile asks for its own sake. Whoever asks more for every
 * request never asks as little as is expected.
 */
private fun Visit.mustAsk(statements: Long, rows: Long, path: String, status: Int = 200) {
    val expected = Beside.Asked(statements, rows)
    var seen = expected
    repeat(ATTEMPTS) {
        val before = beside.asked() ?: return
        get(path).mustHaveStatus(status)
        Thread.sleep(AFTERTHOUGHT_MILLIS)
        seen = checkNotNull(beside.asked()) - before
        if (seen == expected) return
    }
    throw Broken("GET $path: expected $statements statements with $rows rows at the database, got ${seen.statements} with ${seen.rows}")
}

/**
 * By the words of which more was asked meanwhile. Several attempts, for a pool that opens a connection meanwhile. A library that makes the
 * words itself names the table before each column and says that it sorts upwards, which asks for nothing else.
 */
private fun Visit.mustAskBy(words: String, path: String) {
    var seen = setOf(words)
    repeat(ATTEMPTS) {
        val before = beside.words() ?: return
        get(path).mustHaveStatus(200)
        Thread.sleep(AFTERTHOUGHT_MILLIS)
        val after = checkNotNull(beside.words())
        seen = after.keys.filterTo(HashSet()) { after.getValue(it) > (before[it] ?: 0) }
        if (seen.map { it.replace("article.", "").removeSuffix(" ASC") } == listOf(words)) return
    }
    throw Broken("GET $path: expected the database to be asked by: $words; got ${seen.joinToString("; ")}")
}

/** As PostgreSQL 18 tells them, which writes one marker for a list of them. */
private const val ARTICLE_WORDS = "SELECT author, body, id, title FROM article WHERE id IN (\$1 /*, ... */) ORDER BY id"

private const val ATTEMPTS = 20

/** More than a call to the same machine takes that leaves when the answer does. */
private const val AFTERTHOUGHT_MILLIS = 20L
