package threadgauge.server.vertx.more

import io.vertx.core.Vertx
import io.vertx.kotlin.coroutines.coAwait
import kotlinx.coroutines.reactor.awaitSingle
import threadgauge.server.articles.Article
import threadgauge.server.articles.R2dbcArticles
import threadgauge.server.articles.articles
import threadgauge.server.articles.connectionPool

/** Where articles come from: those of the numbers that are given, each once, ordered by number. */
internal typealias ArticleSource = suspend (ids: List<Int>) -> List<Article>

/**
 * By R2DBC where such an address is given, else by JDBC. That is a blocking call, on the worker pool, where Vert.x' manual puts it, or with
 * the mistake, on the event loop, which stands still until the database has answered. Null where no address is given.
 */
internal fun articleSource(vertx: Vertx, given: Map<String, String>): ArticleSource? {
    // An argument may be there and empty: the bench fills in nothing where no database is.
    fun address(driver: String) = given[driver]?.ifEmpty { null }
    val (user, password) = listOf("user", "password").map { given[it].orEmpty() }
    address("r2dbc")?.let { url -> R2dbcArticles(url, user, password).run { return { ids -> find(ids).awaitSingle() } } }
    val pool = address("jdbc")?.let { connectionPool(it, user, password) } ?: return null
    return if (given["naive"] == "true") {
        { ids -> pool.articles(ids) }
    } else {
        { ids -> vertx.executeBlocking({ pool.articles(ids) }, false).coAwait() }
    }
}
