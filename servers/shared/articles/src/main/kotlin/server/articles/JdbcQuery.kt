package threadgauge.server.articles

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import java.sql.ResultSet
import javax.sql.DataSource

/** For stacks whose framework brings no client of its own for JDBC: the query. It blocks; the caller decides which thread. */
fun DataSource.articles(ids: List<Int>): List<Article> = connection.use { connection ->
    connection.prepareStatement(selectWithJdbc(ids.size)).use { statement ->
        ids.forEachIndexed { index, id -> statement.setInt(index + 1, id) }
        statement.executeQuery().use { rows -> buildList { while (rows.next()) add(articleOf(rows)) } }
    }
}

/** By name, one by one. */
internal fun articleOf(row: ResultSet) =
    Article(row.getString("author"), row.getString("body"), row.getInt("id"), row.getString("title"))

/** For stacks whose framework brings no pool of connections. */
fun connectionPool(url: String, user: String, password: String) = HikariDataSource(
    HikariConfig().apply {
        jdbcUrl = url
        username = user
        this.password = password
        maximumPoolSize = POOL_SIZE
    },
)
