package threadgauge.load.http

import com.sun.management.ThreadMXBean
import io.kotest.matchers.booleans.shouldBeTrue
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import java.lang.management.ManagementFactory
import org.junit.jupiter.api.Test

class CookieJarTest {
    private val jar = CookieJar()

    private fun take(value: String) = value.toByteArray().let { jar.take(it, 0, it.size) }

    private val line get() = jar.line.decodeToString()

    @Test
    fun `cookies are kept by name, without their attributes, in their order`() {
        take("SESSION=abc; Path=/; HttpOnly")
        take("lang=en")
        line shouldBe "Cookie: SESSION=abc; lang=en\r\n"
        take("SESSION=xyz=1; Path=/")
        line shouldBe "Cookie: SESSION=xyz=1; lang=en\r\n"
        take("SESS=1")
        line shouldBe "Cookie: SESSION=xyz=1; lang=en; SESS=1\r\n"
    }

    @Test
    fun `an empty value deletes a cookie, and one without a name is ignored`() {
        listOf("a=1", "=2", "b", "; c=3", "d=; Max-Age=0").forEach(::take)
        line shouldBe "Cookie: a=1\r\n"
        take("a=; Max-Age=0")
        jar.isEmpty.shouldBeTrue()
        line shouldBe ""
    }

    @Test
    fun `a cookie expires by its age or its date, and a new one of the same name lives on`() {
        var now = 0L
        val jar = CookieJar("shop.test") { now }
        fun take(value: String) = value.toByteArray().let { jar.take(it, 0, it.size) }
        take("a=1; Max-Age=10")
        take("b=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT")
        take("c=1")
        sent(jar, "/") shouldBe "Cookie: a=1; c=1\r\n"
        now = 9_000_000_000
        take("a=1; Max-Age=10")
        now = 18_000_000_000
        sent(jar, "/") shouldBe "Cookie: a=1; c=1\r\n"
        now = 19_000_000_000
        sent(jar, "/") shouldBe "Cookie: c=1\r\n"
        take("c=1; Max-Age=0")
        jar.isEmpty.shouldBeTrue()
    }

    @Test
    fun `a cookie is sent below its path alone, the one with the longest path first, and never to another domain`() {
        val jar = CookieJar("api.shop.test")
        val values = listOf(
            "all=1; Path=/", "cart=1; Path=/carts", "item=1; Path=/carts/items/", "own=1; Domain=api.shop.test",
            "up=1; Domain=.shop.test", "other=1; Domain=bank.test", "fake=1; Domain=op.test",
        )
        values.map { it.toByteArray() }.forEach { jar.take(it, 0, it.size) }
        sent(jar, "/products") shouldBe "Cookie: all=1; own=1; up=1\r\n"
        sent(jar, "/carts?x") shouldBe "Cookie: cart=1; all=1; own=1; up=1\r\n"
        sent(jar, "/cartsx") shouldBe "Cookie: all=1; own=1; up=1\r\n"
        sent(jar, "/carts/items/7") shouldBe "Cookie: item=1; cart=1; all=1; own=1; up=1\r\n"
        jar.clear()
        sent(jar, "/carts") shouldBe ""
    }

    private fun sent(jar: CookieJar, path: String): String {
        val out = ByteSink()
        out.put("GET $path HTTP/1.1\r\n".toByteArray())
        val before = out.length
        jar.putTo(out, pathAt = 4)
        return String(out.bytes, before, out.length - before)
    }

    @Test
    fun `the same cookie again allocates nothing`() {
        val bytes = "SESSION=abcdefabcdefabcdef; Path=/; HttpOnly".toByteArray()
        val threads = ManagementFactory.getThreadMXBean() as ThreadMXBean
        repeat(20_000) { jar.take(bytes, 0, bytes.size) }
        val before = threads.currentThreadAllocatedBytes
        repeat(TIMES) { jar.take(bytes, 0, bytes.size) }
        // An object for each would be 16 bytes or more; the counter itself takes some once.
        (threads.currentThreadAllocatedBytes - before) shouldBeLessThan TIMES.toLong()
    }

    private companion object {
        const val TIMES = 100_000
    }
}
