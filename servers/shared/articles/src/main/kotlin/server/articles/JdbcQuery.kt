package threadgauge.server.articles

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import java.sql.ResultSet
import javax.sql.DataSource

/** The query, for stacks whose framework has no JDBC client of its own. It blocks the calling thread. */
fun DataSource.articles(ids: List<Int>): List<Article> = connection.use { connection ->
    connection.prepareStatement(selectWithJdbc(ids.size)).use { statement ->
        ids.forEachIndexed { index, id -> statement.setInt(index + 1, id) }
        statement.executeQuery().use { rows -> buildList { while (rows.next()) add(articleOf(rows)) } }
    }
}

/** Reads the columns by name, one by one. */
internal fun articleOf(row: ResultSet) =
    Article(row.getString("author"), row.getString("body"), row.getInt("id"), row.getString("title"))

/** A HikariCP pool, for stacks whose framework brings none. */
fun connectionPool(url: String, user: String, password: String) = HikariDataSource(
    HikariConfig().apply {
        jdbcUrl = url
        username = user
        this.password = password
        maximumPoolSize = POOL_SIZE
    },
)
