package threadgauge.server.database

import java.sql.Connection
import java.sql.DriverManager
import threadgauge.server.articles.ARTICLES

/** A PostgreSQL that runs already. A missing table is created; an existing one is neither changed nor removed. */
internal class RunningDatabase private constructor(
    access: Access,
    override val settings: Map<String, String>,
) : Database {
    override val readyLine = access.readyLineWithoutPassword

    companion object {
        fun use(access: Access): RunningDatabase = connect(access).use { connection ->
            if (!hasTable(connection)) seedByCopy(connection)
            val rows = connection.createStatement().use { statement ->
                statement.executeQuery("SELECT count(*) FROM article").use { it.next(); it.getInt(1) }
            }
            check(rows == ARTICLES) { "its table article has $rows rows instead of $ARTICLES; it was not changed" }
            RunningDatabase(access, postgresSettings(connection))
        }

        private fun hasTable(connection: Connection): Boolean = connection.createStatement().use { statement ->
            statement.executeQuery("SELECT to_regclass('article') IS NOT NULL").use { it.next(); it.getBoolean(1) }
        }
    }
}

internal fun connect(access: Access): Connection =
    DriverManager.getConnection(access.jdbc, access.user, access.password)

/** Settings of PostgreSQL that decide its speed or its durability. */
internal fun postgresSettings(connection: Connection): Map<String, String> {
    val names = listOf(
        "fsync", "synchronous_commit", "full_page_writes", "shared_buffers", "work_mem", "max_connections", "jit",
    )
    val values = names.associateWith { name ->
        connection.createStatement().use { statement ->
            statement.executeQuery("SHOW $name").use { it.next(); it.getString(1) }
        }
    }
    return mapOf("database" to "PostgreSQL ${connection.metaData.databaseProductVersion}") + values
}
