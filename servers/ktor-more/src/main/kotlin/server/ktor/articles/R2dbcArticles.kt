package threadgauge.server.ktor.articles

import io.r2dbc.pool.ConnectionPool
import io.r2dbc.pool.ConnectionPoolConfiguration
import io.r2dbc.spi.ConnectionFactories
import io.r2dbc.spi.ConnectionFactoryOptions
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.toList
import org.jetbrains.exposed.v1.core.inList
import org.jetbrains.exposed.v1.r2dbc.R2dbcDatabase
import org.jetbrains.exposed.v1.r2dbc.R2dbcDatabaseConfig
import org.jetbrains.exposed.v1.r2dbc.selectAll
import org.jetbrains.exposed.v1.r2dbc.transactions.suspendTransaction
import threadgauge.server.articles.POOL_SIZE

/**
 * Exposed's module for R2DBC on r2dbc-pool: rows come as a flow, and no thread waits for them. With H2 only the form is
 * reactive: its driver asks the database on the thread that calls it.
 */
internal class R2dbcArticles(address: Address) : ArticleSource {
    private val options = ConnectionFactoryOptions.parse(address.url).mutate()
        .option(ConnectionFactoryOptions.USER, address.user)
        .option(ConnectionFactoryOptions.PASSWORD, address.password)
        .build()
    private val pool = ConnectionPool(
        ConnectionPoolConfiguration.builder(ConnectionFactories.get(options)).maxSize(POOL_SIZE).build(),
    )
    private val database = R2dbcDatabase.connect(pool, R2dbcDatabaseConfig { connectionFactoryOptions = options })

    override suspend fun articles(ids: List<Int>): List<Article> = suspendTransaction(database) {
        ArticleTable.selectAll().where { ArticleTable.id inList ids }.orderBy(ArticleTable.id).map(::articleOf).toList()
    }

    override fun close() = pool.dispose()
}
