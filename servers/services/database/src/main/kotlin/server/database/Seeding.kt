package threadgauge.server.database

import java.security.SecureRandom
import java.sql.Connection
import org.postgresql.PGConnection
import threadgauge.server.articles.ARTICLES
import threadgauge.server.articles.Article
import threadgauge.server.articles.CREATE_TABLE
import threadgauge.server.articles.article

/** Creates the table and inserts all rows, on any database. */
internal fun seedByBatches(connection: Connection) {
    connection.createStatement().use { it.execute(CREATE_TABLE) }
    connection.autoCommit = false
    connection.prepareStatement("INSERT INTO article (author, body, id, title) VALUES (?, ?, ?, ?)").use { insert ->
        (1..ARTICLES).chunked(BATCH).forEach { ids ->
            for (id in ids) {
                val row = article(id)
                insert.setString(1, row.author)
                insert.setString(2, row.body)
                insert.setInt(3, row.id)
                insert.setString(4, row.title)
                insert.addBatch()
            }
            insert.executeBatch()
        }
    }
    connection.commit()
    connection.autoCommit = true
}

/**
 * The same on PostgreSQL with COPY. It also collects statistics, so that the planner knows the table from the first
 * query on.
 */
internal fun seedByCopy(connection: Connection) {
    connection.autoCommit = false
    connection.createStatement().use { it.execute(CREATE_TABLE) }
    val copy = connection.unwrap(PGConnection::class.java).copyAPI
        .copyIn("COPY article (author, body, id, title) FROM STDIN")
    (1..ARTICLES).chunked(BATCH).forEach { ids ->
        val bytes = ids.joinToString("") { line(article(it)) }.toByteArray()
        copy.writeToCopy(bytes, 0, bytes.size)
    }
    val written = copy.endCopy()
    check(written == ARTICLES.toLong()) { "PostgreSQL accepted $written rows of $ARTICLES" }
    connection.commit()
    connection.autoCommit = true
    connection.createStatement().use { it.execute("VACUUM (ANALYZE) article") }
}

/** No value holds a tab, a line break or a backslash, so nothing needs to be escaped. */
private fun line(row: Article) = "${row.author}\t${row.body}\t${row.id}\t${row.title}\n"

/** A new random password, printed only in the ready line. */
internal fun newPassword(): String {
    val random = SecureRandom()
    return String(CharArray(PASSWORD_LENGTH) { LETTERS[random.nextInt(LETTERS.size)] })
}

private const val BATCH = 1_000
private const val PASSWORD_LENGTH = 24
private val LETTERS = ('A'..'Z') + ('a'..'z') + ('0'..'9')
