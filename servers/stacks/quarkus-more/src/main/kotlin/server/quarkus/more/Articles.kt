package threadgauge.server.quarkus.more

import jakarta.annotation.PreDestroy
import jakarta.inject.Singleton
import java.util.Optional
import org.eclipse.microprofile.config.inject.ConfigProperty
import threadgauge.server.articles.Article
import threadgauge.server.articles.articles
import threadgauge.server.articles.connectionPool
import tools.jackson.databind.json.JsonMapper

/**
 * Articles from a database with JDBC, which blocks. Quarkus' own pool needs its H2 extension, which does not resolve in
 * this version.
 */
@Singleton
class Articles(
    @ConfigProperty(name = "articles.jdbc") jdbc: Optional<String>,
    @ConfigProperty(name = "articles.user") user: Optional<String>,
    @ConfigProperty(name = "articles.password") password: Optional<String>,
) {
    private val pool = jdbc.map { connectionPool(it, user.orElse(""), password.orElse("")) }
    private val mapper = JsonMapper()

    fun all(ids: List<Int>): String = mapper.writeValueAsString(of(ids))

    fun one(id: Int): String = mapper.writeValueAsString(of(listOf(id)).single())

    private fun of(ids: List<Int>): List<Article> = pool.get().articles(ids)

    @PreDestroy
    fun close() = pool.ifPresent { it.close() }
}
