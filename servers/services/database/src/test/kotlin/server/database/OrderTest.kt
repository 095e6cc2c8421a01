package threadgauge.server.database

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path

class OrderTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `arguments say which database is wanted`() {
        Order.read(listOf("--database=h2", "--folder=$folder")) shouldBe Order.H2(folder)
        Order.read(listOf("--database=postgresql", "--folder=$folder", "--port=5433")) shouldBe Order.Postgresql(folder, 5433)
        Order.read(listOf("--database=postgresql", "--folder=$folder", "--port=")) shouldBe Order.Postgresql(folder, 0)
        Order.read(listOf("--database=mariadb", "--folder=$folder")) shouldBe Order.Mariadb(folder, 0)
        Order.read(listOf("--database=redis", "--folder=$folder")) shouldBe Order.Redis(folder, 0)
        Order.read(listOf("--database=postgresql", "--folder=$folder", "--articles=none")) shouldBe Order.Postgresql(folder, 0, false)
    }

    @Test
    fun `an address is told to both kinds of drivers, and its password to nobody else`() {
        val address = listOf("--address=jdbc:postgresql://db:5432/shop?ssl=true", "--user=me")
        val order = Order.read(address, mapOf("THREADGAUGE_PASSWORD" to "secret"))
        order shouldBe Order.Running(Access("jdbc:postgresql://db:5432/shop?ssl=true", "r2dbc:postgresql://db:5432/shop", "me", "secret"))
        (order as Order.Running).access.toString() shouldBe "Access(jdbc:postgresql://db:5432/shop?ssl=true)"
        order.access.readyLineWithoutPassword shouldBe
            "ready jdbc=jdbc:postgresql://db:5432/shop?ssl=true r2dbc=r2dbc:postgresql://db:5432/shop user=me"
    }

    @Test
    fun `a mistake is told with what there is`() {
        wrong("--database=oracle", "--folder=$folder") shouldBe "--database= must be h2, postgresql, mariadb or redis, not oracle"
        wrong("--folder=$folder") shouldBe "--database= must be h2, postgresql, mariadb or redis, not missing"
        wrong("--database=h2") shouldBe "--folder= must name a folder that is there, and empty"
        wrong("--database=postgresql", "--folder=$folder", "--port=x") shouldBe "--port= must be a whole number from 0 to 65535"
        wrong("--address=jdbc:mysql://db") shouldBe "--address= must begin with jdbc:postgresql://"
        wrong("-h") shouldBe
            "-h is not known; there are --database=…, --folder=…, --port=…, --articles=…, --address=…, --user=…"
    }

    private fun wrong(vararg arguments: String) = shouldThrow<IllegalArgumentException> { Order.read(arguments.toList()) }.message
}
