package threadgauge.server.webflux.articles

import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression
import org.springframework.jdbc.core.simple.JdbcClient
import org.springframework.stereotype.Repository
import threadgauge.server.articles.Article
import threadgauge.server.articles.selectWithJdbc

/**
 * The query by Spring's JdbcClient on HikariCP. It blocks; the caller decides which thread. Columns are read by name, one
 * by one: `query<Article>()` would be shorter, and would measure Kotlin's reflection, a thousand times per request.
 */
@Repository
@ConditionalOnExpression(HAS_JDBC)
class ArticleRepository(private val jdbc: JdbcClient) {
    fun find(ids: List<Int>): List<Article> = jdbc.sql(selectWithJdbc(ids.size)).params(ids)
        .query { row, _ -> Article(row.getString("author"), row.getString("body"), row.getInt("id"), row.getString("title")) }
        .list()
}

/** An address may be there and empty: the bench fills in nothing where no database is. With both, Spring Boot prefers R2DBC. */
internal const val HAS_R2DBC = "!'\${spring.r2dbc.url:}'.isEmpty()"
internal const val HAS_JDBC = "'\${spring.r2dbc.url:}'.isEmpty() && !'\${spring.datasource.url:}'.isEmpty()"
