package threadgauge.server.ktor.articles

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import org.jetbrains.exposed.v1.core.inList
import org.jetbrains.exposed.v1.jdbc.Database
import org.jetbrains.exposed.v1.jdbc.selectAll
import org.jetbrains.exposed.v1.jdbc.transactions.suspendTransaction
import org.jetbrains.exposed.v1.jdbc.transactions.transaction
import threadgauge.server.articles.connectionPool

/**
 * Exposed on HikariCP, as its manual recommends for coroutines: the transaction runs on `Dispatchers.IO`, because the
 * driver blocks its thread. (The older `newSuspendedTransaction(Dispatchers.IO)` is deprecated.)
 */
internal class JdbcArticles(address: Address) : ArticleSource {
    private val pool = connectionPool(address.url, address.user, address.password)
    private val database = Database.connect(pool)

    override suspend fun articles(ids: List<Int>): List<Article> =
        withContext(Dispatchers.IO) { suspendTransaction(database) { select(ids) } }

    override fun close() = pool.close()
}

/** The mistake: the same transaction on the handler's thread, which it blocks until the database answers. */
internal class NaiveArticles(address: Address) : ArticleSource {
    private val pool = connectionPool(address.url, address.user, address.password)
    private val database = Database.connect(pool)

    override suspend fun articles(ids: List<Int>): List<Article> = transaction(database) { select(ids) }

    override fun close() = pool.close()
}

private fun select(ids: List<Int>): List<Article> =
    ArticleTable.selectAll().where { ArticleTable.id inList ids }.orderBy(ArticleTable.id).map(::articleOf)
