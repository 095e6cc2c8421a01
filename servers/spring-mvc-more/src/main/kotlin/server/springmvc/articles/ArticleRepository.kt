package threadgauge.server.springmvc.articles

import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression
import org.springframework.jdbc.core.simple.JdbcClient
import org.springframework.stereotype.Repository
import threadgauge.server.articles.Article
import threadgauge.server.articles.selectWithJdbc

/**
 * The query by Spring's JdbcClient on HikariCP. Columns are read by name, one by one: `query<Article>()` would be shorter,
 * and would measure Kotlin's reflection, a thousand times per request.
 */
@Repository
@ConditionalOnExpression(HAS_DATABASE)
class ArticleRepository(private val jdbc: JdbcClient) {
    fun find(ids: List<Int>): List<Article> = jdbc.sql(selectWithJdbc(ids.size)).params(ids)
        .query { row, _ -> Article(row.getString("author"), row.getString("body"), row.getInt("id"), row.getString("title")) }
        .list()
}
