package threadgauge.model

import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import java.nio.charset.Charset
import org.junit.jupiter.api.Test

class TextEncodingTest {
    @Test
    fun `UTF-16 and UTF-32 are known in both byte orders, with a byte-order mark and UTF-16 without one`() {
        val texts = listOf("name: tour\n", "이름: 투어\n질문: 무엇?\n", "row,seat\r\na,1\r\n")
        for (text in texts) withClue(text) {
            of("\uFEFF$text", "UTF-16LE") shouldBe TextEncoding.UTF_16_LE
            of("\uFEFF$text", "UTF-16BE") shouldBe TextEncoding.UTF_16_BE
            of("\uFEFF$text", "UTF-32LE") shouldBe TextEncoding.UTF_32_LE
            of("\uFEFF$text", "UTF-32BE") shouldBe TextEncoding.UTF_32_BE
            of(text, "UTF-16LE") shouldBe TextEncoding.UTF_16_LE
            of(text, "UTF-16BE") shouldBe TextEncoding.UTF_16_BE
        }
    }

    @Test
    fun `text of one byte or two for a letter is known by what it holds`() {
        of("question: café, naïve?", "ISO-8859-1") shouldBe TextEncoding.LATIN_1
        of("words: “quoted” €", "windows-1252") shouldBe TextEncoding.LATIN_1
        of("Ärger, Öl", "ISO-8859-1") shouldBe TextEncoding.LATIN_1
        of("질문: 어느 것이 맞나?", "EUC-KR") shouldBe TextEncoding.EUC_KR
    }

    @Test
    fun `UTF-8 is itself, with or without a mark, and what is no text is nothing`() {
        for (text in listOf("", "name: tour", "질문: 무엇?", "\uFEFFcafé", "a\u0000b")) withClue(text) {
            TextEncoding.otherThanUtf8(text.toByteArray()) shouldBe null
            utf8Text(text.toByteArray()) shouldBe text.removePrefix("\uFEFF")
        }
        TextEncoding.otherThanUtf8(ByteArray(1_000)) shouldBe null
        TextEncoding.otherThanUtf8(byteArrayOf(1, -1, 2, -2)) shouldBe null
        utf8Text(byteArrayOf(-1)) shouldBe null
    }

    private fun of(text: String, charset: String) =
        TextEncoding.otherThanUtf8(text.toByteArray(Charset.forName(charset)))
}
