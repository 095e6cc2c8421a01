package threadgauge.server.spring.coroutine.articles

import kotlinx.coroutines.flow.toList
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression
import org.springframework.r2dbc.core.DatabaseClient
import org.springframework.r2dbc.core.flow
import org.springframework.stereotype.Component
import threadgauge.server.articles.Article
import threadgauge.server.articles.HAS_R2DBC
import threadgauge.server.articles.articles

/**
 * R2DBC on r2dbc-pool: rows come as a flow, and no thread waits for them. With H2 only the API is reactive: its driver
 * queries the database on the calling thread.
 */
@Component
@ConditionalOnExpression(HAS_R2DBC)
class R2dbcArticles(private val client: DatabaseClient) : ArticleSource {
    override suspend fun find(ids: List<Int>): List<Article> = client.articles(ids).flow().toList()
}
