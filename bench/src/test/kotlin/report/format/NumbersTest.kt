package threadgauge.report.format

import io.kotest.matchers.shouldBe
import java.util.Locale
import org.junit.jupiter.api.Test
import threadgauge.model.judgement.Figure
import threadgauge.report.html.section.shellWord

class NumbersTest {
    @Test
    fun `numbers keep three digits, and four from a thousand on`() {
        val values = listOf(0.0, 0.0123, 0.4251, 1.2345, 12.345, 123.45, 1234.5, 12345.0, 123456.0, 2.0, 236.0)
        val written = listOf("0", "0.012", "0.425", "1.23", "12.3", "123", "1,235", "12,350", "123,500", "2", "236")
        values.map { number(it) } shouldBe written
    }

    @Test
    fun `a number that is not zero never reads as zero`() {
        number(0.0001) shouldBe "<0.001"
    }

    @Test
    fun `what is not a number is a dash`() {
        listOf(Double.NaN, Double.POSITIVE_INFINITY).map { number(it) } shouldBe listOf("–", "–")
    }

    @Test
    fun `the language of the machine changes nothing`() {
        val before = Locale.getDefault()
        try {
            Locale.setDefault(Locale.GERMANY)
            number(1234.5) + " " + number(12.345) + " " + number(1_234_567L) shouldBe "1,235 12.3 1,234,567"
        } finally {
            Locale.setDefault(before)
        }
    }

    @Test
    fun `an interval has the digits of its median, and where there is none the number of values stands`() {
        Figure(984.2, 973.61, 996.9, listOf(973.61, 984.2, 996.9)).sureness() shouldBe "974–997"
        Figure(10.0, values = listOf(9.0, 11.0)).sureness() shouldBe "9–11 (n of 2)"
        Figure(10.0, values = listOf(10.0)).sureness() shouldBe "n of 1"
        Figure(10.0, 10.0, 10.0, listOf(10.0, 10.0, 10.0)).sureness() shouldBe "all equal"
    }

    @Test
    fun `a command can be copied into a shell`() {
        val quoted = listOf("-Xmx512m", "'hello world'", "'it'\\''s'", "''")
        listOf("-Xmx512m", "hello world", "it's", "").map { shellWord(it) } shouldBe quoted
    }

    @Test
    fun `no number is parted from its unit`() {
        unbroken("11 % of 100 ms, 3 situations") shouldBe "11\u00A0% of 100\u00A0ms, 3 situations"
    }
}
