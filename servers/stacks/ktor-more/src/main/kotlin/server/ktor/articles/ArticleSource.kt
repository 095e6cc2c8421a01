package threadgauge.server.ktor.articles

import io.ktor.server.application.Application
import io.ktor.server.application.ApplicationStopped

/** Source of articles. [close] releases all connections. */
internal interface ArticleSource : AutoCloseable {
    /** The articles with these [ids], each once, ordered by id. */
    suspend fun articles(ids: List<Int>): List<Article>
}

/** Address of the database. */
internal class Address(val url: String, val user: String, val password: String)

/** With R2DBC where such an address is given, else with JDBC, correctly or naively. Null without an address. */
internal fun Application.articleSource(): ArticleSource? {
    val source = address("r2dbc")?.let(::R2dbcArticles)
        ?: address("jdbc")?.let { if (setting("naive") == "true") NaiveArticles(it) else JdbcArticles(it) }
        ?: return null
    monitor.subscribe(ApplicationStopped) { source.close() }
    return source
}

/** An address may be empty: the bench leaves it so where there is no database. */
private fun Application.address(driver: String): Address? =
    setting(driver).takeIf { it.isNotEmpty() }?.let { Address(it, setting("user"), setting("password")) }

private fun Application.setting(name: String) =
    environment.config.propertyOrNull("articles.$name")?.getString().orEmpty()
