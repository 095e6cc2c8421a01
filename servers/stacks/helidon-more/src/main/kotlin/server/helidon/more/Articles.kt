package threadgauge.server.helidon.more

import io.helidon.config.Config
import io.helidon.webserver.http.HttpRouting
import threadgauge.server.articles.articles
import threadgauge.server.articles.connectionPool
import threadgauge.server.articles.idOf
import threadgauge.server.articles.idsOf
import threadgauge.server.helidon.json
import threadgauge.server.helidon.parameter
import threadgauge.server.helidon.serve
import tools.jackson.databind.json.JsonMapper

/** Articles from a database with JDBC, where an address is given. The virtual thread of the request waits for it. */
internal fun HttpRouting.Builder.articles(config: Config) {
    fun setting(name: String) = config.get(name).asString().orElse("")
    val url = setting("jdbc").ifEmpty { return }
    val pool = connectionPool(url, setting("user"), setting("password"))
    val mapper = JsonMapper()
    serve("/api/articles") { request, answer ->
        answer.json(mapper.writeValueAsString(pool.articles(idsOf(request.inQuery("ids")))))
    }
    serve("/api/articles/{id}") { request, answer ->
        answer.json(mapper.writeValueAsString(pool.articles(listOf(idOf(request.parameter("id")))).single()))
    }
}
