package threadgauge.server.springmvc.articles

import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression
import org.springframework.jdbc.core.simple.JdbcClient
import org.springframework.stereotype.Repository
import threadgauge.server.articles.Article
import threadgauge.server.articles.articles

/** JDBC on HikariCP. */
@Repository
@ConditionalOnExpression(HAS_DATABASE)
class ArticleRepository(private val jdbc: JdbcClient) {
    fun find(ids: List<Int>): List<Article> = jdbc.articles(ids)
}
