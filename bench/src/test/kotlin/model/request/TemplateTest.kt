package threadgauge.model.request

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.property.Arb
import io.kotest.property.PropTestConfig
import io.kotest.property.arbitrary.element
import io.kotest.property.arbitrary.list
import io.kotest.property.arbitrary.map
import io.kotest.property.checkAll
import java.lang.management.ManagementFactory
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Test

class TemplateTest {
    @Test
    fun `each placeholder is a piece, and all else is text`() {
        pieces("/a/{1..10000}/{seq}?x={random:8}&y={csv:user name}") shouldContainExactly listOf(
            Piece.Text("/a/"), Piece.Range(1, 10_000), Piece.Text("/"), Piece.Sequence, Piece.Text("?x="),
            Piece.Random(8),
            Piece.Text("&y="), Piece.Column("user name"),
        )
        pieces("{0..9223372036854775807}") shouldContainExactly listOf(Piece.Range(0, Long.MAX_VALUE))
        pieces("{seq}{seq}") shouldContainExactly listOf(Piece.Sequence, Piece.Sequence)
        pieces("").shouldBeEmpty()
    }

    @Test
    fun `braces of JSON stand for themselves, around placeholders too`() {
        pieces("""{"a": {"b": "{seq}"}, "c": [{}]}""") shouldContainExactly
            listOf(Piece.Text("""{"a": {"b": """"), Piece.Sequence, Piece.Text(""""}, "c": [{}]}"""))
        pieces("{{seq}}") shouldContainExactly listOf(Piece.Text("{"), Piece.Sequence, Piece.Text("}"))
        nearMisses("""{"a": {"random": {"csv": 1}, "seq": 2, "1..2": {}}}, { seq { id } }""").shouldBeEmpty()
    }

    @Test
    fun `what is nearly a placeholder is text, and is told`() {
        val nearly = listOf(
            "{10..1}", "{1..}", "{1..x}", "{1...5}", "{-1..5}", "{1..99999999999999999999}", "{ 1 .. 5 }", "{ seq }",
            "{SEQ}",
            "{seq:5}", "{random}", "{random:}", "{random:x}", "{random:0}", "{random:1001}", "{random: 8}", "{csv}",
            "{csv:}", "{csv:a",
        )
        for (text in nearly) withClue(text) {
            pieces("a $text b") shouldContainExactly listOf(Piece.Text("a $text b"))
            if (text.endsWith("}")) nearMisses("a $text b") shouldContainExactly listOf(text)
        }
        nearMisses("{csv:a") shouldContainExactly listOf("{csv:a")
        nearMisses("{seq}{csv:a\n}{random:5}{1..0}") shouldContainExactly listOf("{csv:a", "{1..0}")
    }

    @Test
    fun `pieces put together are the template`() = runBlocking<Unit> {
        val whole = listOf("{seq}", "{event}", "{1..9}", "{random:7}", "{csv:a}")
        val parts = listOf("{", "}", "seq", "random:", "csv:", "1", "9", "..", "a", " ", "\n") + whole
        val texts = Arb.list(Arb.element(parts), 0..12).map { it.joinToString("") }
        checkAll(PropTestConfig(seed = 25, iterations = 2_000), texts) { text ->
            val pieces = pieces(text)
            pieces.joinToString("") { written(it) } shouldBe text
            pieces.zipWithNext().count { (one, other) -> one is Piece.Text && other is Piece.Text } shouldBe 0
        }
    }

    @Test
    fun `a long template takes time in proportion to its length`() = runBlocking<Unit> {
        val clock = ManagementFactory.getThreadMXBean()
        for (part in listOf("{", "{csv:", "{1..", "{seq}", "{9", "{random:", "}")) withClue(part) {
            val start = clock.currentThreadCpuTime
            nearMisses(part.repeat(500_000))
            nearMisses("{csv:" + part.drop(1).repeat(500_000))
            clock.currentThreadCpuTime - start shouldBeLessThan 2_000_000_000
        }
    }

    @Test
    fun `names in braces are placeholders where a step has kept them, and text elsewhere`() {
        val template = "/carts/{cart}/{item}?{seq}{cart}"
        pieces(template, setOf("cart")) shouldContainExactly listOf(
            Piece.Text("/carts/"), Piece.Kept("cart"), Piece.Text("/{item}?"), Piece.Sequence, Piece.Kept("cart"),
        )
        pieces(template).filterIsInstance<Piece.Kept>().shouldBeEmpty()
    }

    private fun written(piece: Piece) = when (piece) {
        is Piece.Text -> piece.text
        is Piece.Range -> "{${piece.first}..${piece.last}}"
        Piece.Sequence -> "{seq}"
        Piece.Event -> "{event}"
        is Piece.Random -> "{random:${piece.length}}"
        is Piece.Column -> "{csv:${piece.name}}"
        is Piece.Kept -> "{${piece.name}}"
    }
}
