package threadgauge.server.vertx.more

import io.vertx.core.json.JsonArray
import io.vertx.core.json.JsonObject
import io.vertx.ext.web.Router
import io.vertx.kotlin.coroutines.CoroutineRouterSupport
import threadgauge.server.articles.Article
import threadgauge.server.articles.idOf
import threadgauge.server.articles.idsOf

/** Articles of [source]. */
internal fun CoroutineRouterSupport.articles(router: Router, source: ArticleSource) {
    router.get("/api/articles").coHandler { call ->
        val found = source(idsOf(call.inQuery("ids")))
        call.json(JsonArray(found.map { it.json() }))
    }
    router.get("/api/articles/:id").coHandler { call ->
        val found = source(listOf(idOf(call.pathParam("id"))))
        call.json(found.single().json())
    }
}

private fun Article.json(): JsonObject = JsonObject.of("author", author, "body", body, "id", id, "title", title)
