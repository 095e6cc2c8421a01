package threadgauge.server.database

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

class DatabaseOptionsTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `arguments choose the database`() {
        read("--database=h2", "--folder=$folder") shouldBe DatabaseOptions.H2(folder)
        read("--database=postgresql", "--folder=$folder", "--port=5433") shouldBe
            DatabaseOptions.Postgresql(folder, 5433)
        read("--database=postgresql", "--folder=$folder", "--port=") shouldBe DatabaseOptions.Postgresql(folder, 0)
        read("--database=mariadb", "--folder=$folder") shouldBe DatabaseOptions.Mariadb(folder, 0)
        read("--database=redis", "--folder=$folder") shouldBe DatabaseOptions.Redis(folder, 0)
        read("--database=postgresql", "--folder=$folder", "--articles=none") shouldBe
            DatabaseOptions.Postgresql(folder, 0, false)
    }

    @Test
    fun `an address is converted for both kinds of drivers, and its password is not printed`() {
        val jdbc = "jdbc:postgresql://db:5432/shop?ssl=true"
        val environment = mapOf("THREADGAUGE_PASSWORD" to "secret")
        val options = DatabaseOptions.read(listOf("--address=$jdbc", "--user=me"), environment)
        options shouldBe DatabaseOptions.Running(Access(jdbc, "r2dbc:postgresql://db:5432/shop", "me", "secret"))
        (options as DatabaseOptions.Running).access.toString() shouldBe "Access($jdbc)"
        options.access.readyLineWithoutPassword shouldBe
            "ready jdbc=$jdbc r2dbc=r2dbc:postgresql://db:5432/shop user=me"
    }

    @Test
    fun `a mistake is reported with the valid values`() {
        val databases = "--database= must be h2, postgresql, mariadb or redis, not"
        mistake("--database=oracle", "--folder=$folder") shouldBe "$databases oracle"
        mistake("--folder=$folder") shouldBe "$databases missing"
        mistake("--database=h2") shouldBe "--folder= must name an existing, empty folder"
        mistake("--database=postgresql", "--folder=$folder", "--port=x") shouldBe
            "--port= must be a whole number from 0 to 65535"
        mistake("--address=jdbc:mysql://db") shouldBe "--address= must begin with jdbc:postgresql://"
        mistake("-h") shouldBe
            "-h is not an option; there are --database=…, --folder=…, --port=…, --articles=…, --address=…, --user=…"
    }

    private fun read(vararg arguments: String) = DatabaseOptions.read(arguments.toList())

    private fun mistake(vararg arguments: String) =
        shouldThrow<IllegalArgumentException> { DatabaseOptions.read(arguments.toList()) }.message
}
