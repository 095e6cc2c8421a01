package threadgauge.server.articles

import io.r2dbc.pool.ConnectionPool
import io.r2dbc.pool.ConnectionPoolConfiguration
import io.r2dbc.spi.Connection
import io.r2dbc.spi.ConnectionFactories
import io.r2dbc.spi.ConnectionFactoryOptions
import io.r2dbc.spi.Readable
import reactor.core.publisher.Flux
import reactor.core.publisher.Mono

/**
 * The query on r2dbc-pool, for stacks whose framework has no R2DBC client of its own. No thread waits for the rows.
 * With H2 only the API is reactive: its driver queries the database on the calling thread. Any thread may call it.
 */
class R2dbcArticles(url: String, user: String, password: String) : AutoCloseable {
    private val pool = reactivePool(reactiveAddress(url, user, password))

    /**
     * The articles with these [ids], each once, ordered by id. The connection returns to the pool even if the
     * subscriber cancels.
     */
    fun find(ids: List<Int>): Mono<List<Article>> =
        Flux.usingWhen(pool.create(), { it.articles(ids) }, Connection::close).collectList()

    private fun Connection.articles(ids: List<Int>): Flux<Article> {
        val statement = createStatement(selectWithR2dbc(ids.size))
        ids.forEachIndexed { index, id -> statement.bind(index, id) }
        return Flux.from(statement.execute()).flatMap { it.map { row -> articleOf(row) } }
    }

    override fun close() = pool.dispose()
}

/** The address of a database in the form of R2DBC. */
fun reactiveAddress(url: String, user: String, password: String): ConnectionFactoryOptions =
    ConnectionFactoryOptions.parse(url).mutate()
        .option(ConnectionFactoryOptions.USER, user)
        .option(ConnectionFactoryOptions.PASSWORD, password)
        .build()

/** As [connectionPool], for R2DBC. */
fun reactivePool(address: ConnectionFactoryOptions) =
    ConnectionPool(ConnectionPoolConfiguration.builder(ConnectionFactories.get(address)).maxSize(POOL_SIZE).build())

/** Reads the columns by name, one by one. */
internal fun articleOf(row: Readable) =
    Article(row.text("author"), row.text("body"), row.get("id", Int::class.javaObjectType)!!, row.text("title"))

private fun Readable.text(column: String): String = get(column, String::class.java)!!
