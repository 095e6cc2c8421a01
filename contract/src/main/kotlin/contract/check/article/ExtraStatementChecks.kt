package threadgauge.contract.check.article

import threadgauge.contract.check.Check
import threadgauge.contract.client.ContractClient
import threadgauge.contract.client.ContractViolation
import threadgauge.contract.client.DependencyCounters

/** Extra statements, which only make a stack look slow. The database counts them. */
internal val extraStatementChecks: List<Check> = listOf(
    Check("/api/articles queries the database once, for the rows that it returns", ARTICLES_PATH) {
        mustQuery(statements = 1, rows = 3, "$ARTICLES_PATH?ids=3,1,2")
        mustQuery(statements = 1, rows = 2, "$ARTICLES_PATH?ids=5,4,5,5,4")
        mustQuery(statements = 1, rows = 1, "$ARTICLES_PATH/17")
    },
    Check("/api/articles sends the same SQL as every other stack", ARTICLES_PATH) {
        mustQueryBy(ARTICLE_SQL, "$ARTICLES_PATH?ids=3,1,2")
    },
    Check("a request that needs no rows does not query the database", ARTICLES_PATH) {
        mustQuery(statements = 0, rows = 0, "/hello")
        mustQuery(statements = 0, rows = 0, "$ARTICLES_PATH/0", status = 400)
    },
)

/**
 * One of several attempts must have the exact counts: a pool that opens a connection meanwhile runs statements of its
 * own. A stack with an extra statement per request never has them.
 */
private fun ContractClient.mustQuery(statements: Long, rows: Long, path: String, status: Int = 200) {
    val expected = DependencyCounters.Queries(statements, rows)
    var seen = expected
    repeat(ATTEMPTS) {
        val before = counters.queries() ?: return
        get(path).mustHaveStatus(status)
        Thread.sleep(LATE_STATEMENT_MILLIS)
        seen = checkNotNull(counters.queries()) - before
        if (seen == expected) return
    }
    throw ContractViolation(
        "GET $path: expected $statements statements with $rows rows at the database, " +
            "got ${seen.statements} with ${seen.rows}",
    )
}

/**
 * Compares the SQL texts that were executed meanwhile, in several attempts, because a pool may open a connection. A
 * library that generates SQL may name the table before each column, and the ascending order. Both change no work.
 */
private fun ContractClient.mustQueryBy(sql: String, path: String) {
    var seen = setOf(sql)
    repeat(ATTEMPTS) {
        val before = counters.executionsBySql() ?: return
        get(path).mustHaveStatus(200)
        Thread.sleep(LATE_STATEMENT_MILLIS)
        val after = checkNotNull(counters.executionsBySql())
        seen = after.keys.filterTo(HashSet()) { after.getValue(it) > (before[it] ?: 0) }
        if (seen.map { it.replace("article.", "").removeSuffix(" ASC") } == listOf(sql)) return
    }
    throw ContractViolation("GET $path: expected the SQL $sql; got ${seen.joinToString("; ")}")
}

/** As PostgreSQL 18 reports it, with one marker for a list of constants. */
private const val ARTICLE_SQL = "SELECT author, body, id, title FROM article WHERE id IN (\$1 /*, ... */) ORDER BY id"

private const val ATTEMPTS = 20

/** Longer than a statement on the same machine takes that is sent together with the answer. */
private const val LATE_STATEMENT_MILLIS = 20L
