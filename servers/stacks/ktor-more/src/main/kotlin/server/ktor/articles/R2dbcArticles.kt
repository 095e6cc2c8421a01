package threadgauge.server.ktor.articles

import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.toList
import org.jetbrains.exposed.v1.core.inList
import org.jetbrains.exposed.v1.r2dbc.R2dbcDatabase
import org.jetbrains.exposed.v1.r2dbc.R2dbcDatabaseConfig
import org.jetbrains.exposed.v1.r2dbc.selectAll
import org.jetbrains.exposed.v1.r2dbc.transactions.suspendTransaction
import threadgauge.server.articles.reactiveAddress
import threadgauge.server.articles.reactivePool

/**
 * Exposed's R2DBC module on r2dbc-pool: rows come as a flow, and no thread waits for them. With H2 only the API is
 * reactive: its driver queries the database on the calling thread.
 */
internal class R2dbcArticles(address: Address) : ArticleSource {
    private val options = reactiveAddress(address.url, address.user, address.password)
    private val pool = reactivePool(options)
    private val database = R2dbcDatabase.connect(pool, R2dbcDatabaseConfig { connectionFactoryOptions = options })

    override suspend fun articles(ids: List<Int>): List<Article> = suspendTransaction(database) {
        ArticleTable.selectAll().where { ArticleTable.id inList ids }.orderBy(ArticleTable.id).map(::articleOf).toList()
    }

    override fun close() = pool.dispose()
}
