package threadgauge.server.database

import java.nio.file.Path
import java.sql.DriverManager
import org.h2.engine.Constants

/**
 * H2 in a file. It has no server: the library runs in each process that opens the file. This process writes the rows
 * and closes the file; stacks open it for reading, several at a time.
 */
internal class H2File private constructor(access: Access) : Database {
    override val readyLine = access.readyLine
    override val settings =
        mapOf("database" to "H2 ${Constants.VERSION}, in a file, opened for reading by the stack itself")

    companion object {
        fun make(folder: Path): H2File {
            val file = folder.toRealPath().resolve("articles")
            require(' ' !in "$file") { "the path $file has a blank, which addresses cannot hold" }
            val user = "threadgauge"
            val password = newPassword()
            DriverManager.getConnection("jdbc:h2:file:$file", user, password).use { connection ->
                seedByBatches(connection)
                connection.createStatement().use { it.execute("SHUTDOWN COMPACT") }
            }
            val jdbc = "jdbc:h2:file:$file;$READ_ONLY"
            return H2File(Access(jdbc, "r2dbc:h2:file:///$file?options=$READ_ONLY", user, password))
        }

        private const val READ_ONLY = "ACCESS_MODE_DATA=r"
    }
}
