package threadgauge.server.articles

/** Creates the table, in SQL that all databases here accept. */
const val CREATE_TABLE =
    "CREATE TABLE article (id INT PRIMARY KEY, author VARCHAR(100), body VARCHAR(200), title VARCHAR(200))"

/** The query for [count] articles, with the parameter markers of JDBC. */
fun selectWithJdbc(count: Int): String = select(List(count) { "?" })

/** The same query with the markers of the R2DBC drivers of PostgreSQL and H2, which count from 1. */
fun selectWithR2dbc(count: Int): String = select(List(count) { "$${it + 1}" })

private fun select(markers: List<String>) =
    "SELECT author, body, id, title FROM article WHERE id IN (${markers.joinToString()}) ORDER BY id"

/**
 * Connections in every pool. It is the default of HikariCP and of r2dbc-pool, and is set here because it limits the
 * number of concurrent queries.
 */
const val POOL_SIZE = 10
