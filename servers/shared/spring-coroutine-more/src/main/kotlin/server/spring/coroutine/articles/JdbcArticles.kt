package threadgauge.server.spring.coroutine.articles

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression
import org.springframework.jdbc.core.simple.JdbcClient
import org.springframework.stereotype.Component
import threadgauge.server.articles.Article
import threadgauge.server.articles.HAS_JDBC
import threadgauge.server.articles.articles

/**
 * JDBC on HikariCP. The driver blocks its thread, so the call runs on `Dispatchers.IO`.
 *
 * Not a `@Repository`: Spring would add a proxy, which calls suspending functions by Kotlin's reflection.
 */
@Component
@ConditionalOnExpression("$HAS_JDBC && !\${articles.naive:false}")
class JdbcArticles(private val jdbc: JdbcClient) : ArticleSource {
    override suspend fun find(ids: List<Int>): List<Article> = withContext(Dispatchers.IO) { jdbc.articles(ids) }
}

/**
 * The mistake: the same call on the handler's thread, Tomcat's or the event loop, which blocks until the database
 * answers.
 */
@Component
@ConditionalOnExpression("$HAS_JDBC && \${articles.naive:false}")
class NaiveArticles(private val jdbc: JdbcClient) : ArticleSource {
    override suspend fun find(ids: List<Int>): List<Article> = jdbc.articles(ids)
}
