package threadgauge.server.ktor.articles

import io.ktor.server.application.Application
import io.ktor.server.application.ApplicationStopped

/** Where articles come from. [close] lets go of all connections. */
internal interface ArticleSource : AutoCloseable {
    /** The articles of these numbers, each once, ordered by number. */
    suspend fun articles(ids: List<Int>): List<Article>
}

/** Where the database is. */
internal class Address(val url: String, val user: String, val password: String)

/** By R2DBC where such an address is given, else by JDBC, in the right way or the naive one. Null where no address is given. */
internal fun Application.articleSource(): ArticleSource? {
    val source = address("r2dbc")?.let(::R2dbcArticles)
        ?: address("jdbc")?.let { if (setting("naive") == "true") NaiveArticles(it) else JdbcArticles(it) }
        ?: return null
    monitor.subscribe(ApplicationStopped) { source.close() }
    return source
}

/** An argument may be there and empty: the bench fills in nothing where no database is. */
private fun Application.address(driver: String): Address? =
    setting(driver).takeIf { it.isNotEmpty() }?.let { Address(it, setting("user"), setting("password")) }

private fun Application.setting(name: String) = environment.config.propertyOrNull("articles.$name")?.getString().orEmpty()
