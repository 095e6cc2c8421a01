package threadgauge.server.articles

/** Creates the table, in the SQL that all databases here have in common. */
const val CREATE_TABLE =
    "CREATE TABLE article (id INT PRIMARY KEY, author VARCHAR(100), body VARCHAR(200), title VARCHAR(200))"

/** The query for [count] articles with JDBC's markers. */
fun selectWithJdbc(count: Int): String = select(List(count) { "?" })

/** The same query with the markers of PostgreSQL's and H2's R2DBC drivers, which count from 1. */
fun selectWithR2dbc(count: Int): String = select(List(count) { "$${it + 1}" })

private fun select(markers: List<String>) =
    "SELECT author, body, id, title FROM article WHERE id IN (${markers.joinToString()}) ORDER BY id"

/**
 * Connections in the pool, whichever pool it is. HikariCP and r2dbc-pool both ship with ten; it is said here because
 * it decides how many queries can be under way.
 */
const val POOL_SIZE = 10
