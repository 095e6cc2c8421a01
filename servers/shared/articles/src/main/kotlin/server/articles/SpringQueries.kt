package threadgauge.server.articles

import org.springframework.jdbc.core.simple.JdbcClient
import org.springframework.r2dbc.core.DatabaseClient
import org.springframework.r2dbc.core.RowsFetchSpec

/**
 * For the Spring stacks: the query with Spring's JdbcClient. It blocks the calling thread. Columns are read by name,
 * one by one: `query<Article>()` would be shorter, but would measure Kotlin's reflection, a thousand times per request.
 */
fun JdbcClient.articles(ids: List<Int>): List<Article> = sql(selectWithJdbc(ids.size)).params(ids)
    .query { row, _ -> articleOf(row) }
    .list()

/** For the Spring stacks: the query with Spring's DatabaseClient. It runs when a subscriber requests the rows. */
fun DatabaseClient.articles(ids: List<Int>): RowsFetchSpec<Article> = sql(selectWithR2dbc(ids.size)).bindValues(ids)
    .map { row -> articleOf(row) }
