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
