package threadgauge.experiment.target

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import io.kotest.property.Arb
import io.kotest.property.PropTestConfig
import io.kotest.property.arbitrary.list
import io.kotest.property.arbitrary.string
import io.kotest.property.checkAll
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Test
import threadgauge.experiment.stack.list
import threadgauge.experiment.yaml.Parsed

class CommandWordsTest {
    @Test
    fun `words are parted and quotes taken away as a shell does`() {
        words("java  -jar\tshop.jar") shouldContainExactly listOf("java", "-jar", "shop.jar")
        words("""a "b c" 'd e' f\ g""") shouldContainExactly listOf("a", "b c", "d e", "f g")
        words("""-Dx="1 2"'3'4""") shouldContainExactly listOf("-Dx=1 234")
        words("""'' "" a""") shouldContainExactly listOf("", "", "a")
        words("""'a\b' "a\b" "a\"b" "a\\b" a\\b \'""") shouldContainExactly
            listOf("""a\b""", """a\b""", "a\"b", """a\b""", """a\b""", "'")
        words("-port={port} {java}") shouldContainExactly listOf("-port={port}", "{java}")
        words("   ") shouldContainExactly emptyList()
    }

    @Test
    fun `a quote that is never closed is told with its place`() {
        bad("java 'x").problem shouldBe "the quote ' at character 6 of the command is never closed"
        bad("java \"x").problem shouldBe "the quote \" at character 6 of the command is never closed"
        bad("""java "x\"""").problem shouldContain "character 6"
        bad("java \\").problem shouldContain "ends in a backslash"
    }

    @Test
    fun `what only a shell understands is refused unless it is quoted`() {
        for (sign in listOf("|", "&", ";", "<", ">", "$", "`", "(", ")")) {
            bad("java $sign b").problem shouldContain "only a shell understands"
            words("java '$sign' \\$sign") shouldContainExactly listOf("java", sign, sign)
        }
    }

    @Test
    fun `words in single quotes come out as they were, whatever they hold`() = runBlocking<Unit> {
        checkAll(PropTestConfig(seed = 7, iterations = 300), Arb.list(Arb.string(0..12), 1..5)) { texts ->
            words(texts.joinToString(" ") { "'" + it.replace("'", "'\\''") + "'" }) shouldBe texts
        }
    }

    @Test
    fun `any text is either words or a mistake, and never a crash`() = runBlocking<Unit> {
        checkAll(PropTestConfig(seed = 8, iterations = 1_000), Arb.string(0..40)) { commandWords(it) }
    }

    private fun words(text: String) = commandWords(text).shouldBeInstanceOf<Parsed.Good<List<String>>>().value

    private fun bad(text: String) = commandWords(text).shouldBeInstanceOf<Parsed.Bad>()
}
