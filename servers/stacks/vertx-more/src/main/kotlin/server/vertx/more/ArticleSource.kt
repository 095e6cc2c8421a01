package threadgauge.server.vertx.more

import io.vertx.core.Vertx
import io.vertx.kotlin.coroutines.coAwait
import kotlinx.coroutines.reactor.awaitSingle
import threadgauge.server.articles.Article
import threadgauge.server.articles.R2dbcArticles
import threadgauge.server.articles.articles
import threadgauge.server.articles.connectionPool

/** Finds the articles with these ids, each once, ordered by id. */
internal typealias ArticleSource = suspend (ids: List<Int>) -> List<Article>

/**
 * With R2DBC where such an address is given, else with JDBC: a blocking call on the worker pool, as Vert.x' manual
 * recommends, or, as the naive mistake, on the event loop, which it blocks. Null without an address.
 */
internal fun articleSource(vertx: Vertx, given: Map<String, String>): ArticleSource? {
    // An address may be empty: the bench leaves it so where there is no database.
    fun address(driver: String) = given[driver]?.ifEmpty { null }
    val (user, password) = listOf("user", "password").map { given[it].orEmpty() }
    address("r2dbc")?.let { url ->
        R2dbcArticles(url, user, password).run { return { ids -> find(ids).awaitSingle() } }
    }
    val pool = address("jdbc")?.let { connectionPool(it, user, password) } ?: return null
    return if (given["naive"] == "true") {
        { ids -> pool.articles(ids) }
    } else {
        { ids -> vertx.executeBlocking({ pool.articles(ids) }, false).coAwait() }
    }
}
