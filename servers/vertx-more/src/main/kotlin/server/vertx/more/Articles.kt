package threadgauge.server.vertx.more

import io.vertx.core.Vertx
import io.vertx.core.json.JsonArray
import io.vertx.core.json.JsonObject
import io.vertx.ext.web.Router
import io.vertx.kotlin.coroutines.CoroutineRouterSupport
import io.vertx.kotlin.coroutines.coAwait
import threadgauge.server.articles.Article
import threadgauge.server.articles.articles
import threadgauge.server.articles.idOf
import threadgauge.server.articles.idsOf
import javax.sql.DataSource

/** Articles from a database by JDBC: a blocking call, on the worker pool, where Vert.x' manual puts it. */
internal fun CoroutineRouterSupport.articles(router: Router, pool: DataSource) {
    router.get("/api/articles").coHandler { call ->
        val found = call.vertx().ask(pool, idsOf(call.inQuery("ids")))
        call.json(JsonArray(found.map { it.json() })).coAwait()
    }
    router.get("/api/articles/:id").coHandler { call ->
        val found = call.vertx().ask(pool, listOf(idOf(call.pathParam("id"))))
        call.json(found.single().json()).coAwait()
    }
}

private suspend fun Vertx.ask(pool: DataSource, ids: List<Int>): List<Article> = executeBlocking({ pool.articles(ids) }, false).coAwait()

private fun Article.json(): JsonObject = JsonObject.of("author", author, "body", body, "id", id, "title", title)
