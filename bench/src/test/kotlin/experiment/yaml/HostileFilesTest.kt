package threadgauge.experiment.yaml

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.property.Arb
import io.kotest.property.PropTestConfig
import io.kotest.property.arbitrary.byte
import io.kotest.property.arbitrary.byteArray
import io.kotest.property.arbitrary.element
import io.kotest.property.arbitrary.int
import io.kotest.property.arbitrary.list
import io.kotest.property.arbitrary.map
import io.kotest.property.checkAll
import java.lang.management.ManagementFactory
import java.nio.file.Path
import kotlin.random.Random
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.experiment.KNOWN
import threadgauge.experiment.VALID
import threadgauge.experiment.asking
import threadgauge.experiment.mistakes
import threadgauge.experiment.projectRoot
import threadgauge.experiment.readExperiment
import threadgauge.experiment.stack.list

/** Whatever a file holds, context it ends soon, in an experiment or in mistakes: nothing else is ever thrown. */
class HostileFilesTest {
    @Test
    @Tag("slow")
    fun `known kinds of hostile files are refused quickly and in few words`() {
        val million = 999_000
        val files = mapOf(
            "10 MB of letters" to ByteArray(10_000_000) { 'a'.code.toByte() },
            "10 MB of noise" to Random(1).nextBytes(10_000_000),
            "1 MB of noise" to Random(2).nextBytes(million),
            "zeros" to ByteArray(million),
            "deep flow lists" to "[".repeat(million).toByteArray(),
            "deep flow maps" to "{a: ".repeat(million / 4).toByteArray(),
            "deep block lists" to "- ".repeat(million / 2).toByteArray(),
            "deep indentation" to (0..1_000).joinToString("\n") { " ".repeat(it) + "a:" }.toByteArray(),
            "unknown keys" to (0..100_000).joinToString("\n") { "k$it:" }.toByteArray(),
            "one key 100,000 times" to "name: a\n".repeat(100_000).toByteArray(),
            "many stacks" to ("stacks:\n" + "  - spring-mcv\n".repeat(60_000)).toByteArray(),
            "many situations" to ("situations:\n" + "  - {}\n".repeat(100_000)).toByteArray(),
            "many loads" to ("request: GET /\nload:\n" + "  - {users: 0}\n".repeat(60_000)).toByteArray(),
            "a long name" to "name: ${"a".repeat(million)}".toByteArray(),
            "a long number" to "trials: ${"9".repeat(million)}".toByteArray(),
            "a long duration" to "name: a\nwarm-up: {budget: ${"9".repeat(million)}s}".toByteArray(),
            "a long key" to "${"k".repeat(million)}: 1".toByteArray(),
            "a long quoted key" to "\"${"k".repeat(million)}\": 1".toByteArray(),
            "a long path" to VALID.replace("/hello", "/" + "%".repeat(million / 2)).toByteArray(),
            "many steps" to ("request: GET /\nload:\n  steps:\n" + "  - {users: 0}\n".repeat(60_000)).toByteArray(),
            "many headers" to ("request:\n  headers:\n" + (0..60_000).joinToString("") { "    é$it: a\n" })
                .toByteArray(),
            "many fields of JSON" to
                ("request:\n  expect:\n    json:\n" + (0..60_000).joinToString("") { "      .$it: a\n" }).toByteArray(),
            "many statuses" to ("request:\n  expect:\n    status:\n" + "    - 200\n".repeat(60_000)).toByteArray(),
            "many addresses" to ("connections:\n  from:\n" + "  - ::1\n".repeat(90_000)).toByteArray(),
            "many broken placeholders" to body((0..90).joinToString("\n") { "{1..x$it}{csv:a$it}".repeat(400) }),
            "many placeholders" to body("{random:1000}{csv:a}{seq}\n".repeat(30_000)),
            "open braces" to body(("{csv:".repeat(1_900) + "\n").repeat(100)),
            "long ranges" to body(("{1..${"9".repeat(9_000)}}\n").repeat(100)),
            "an anchor bomb" to bomb().toByteArray(),
            "an alias to itself" to "name: &a [*a]".toByteArray(),
            "tabs" to "\t".repeat(million).toByteArray(),
            "spaces" to " ".repeat(million).toByteArray(),
            "line breaks" to "\n".repeat(million).toByteArray(),
            "carriage returns" to "\r".repeat(million).toByteArray(),
            "comments" to "#\n".repeat(million / 2).toByteArray(),
            "colons" to ":".repeat(million).toByteArray(),
            "question marks" to "? ".repeat(million / 2).toByteArray(),
            "exclamation marks" to "!".repeat(million).toByteArray(),
            "quotes" to "'".repeat(million).toByteArray(),
            "an open quote" to "\"${"a\n".repeat(million / 2)}".toByteArray(),
            "stars" to "*".repeat(million).toByteArray(),
            "documents" to "---\n".repeat(million / 4).toByteArray(),
            "directives" to "%A b\n".repeat(million / 5).toByteArray(),
            "a lone surrogate" to byteArrayOf(0xED.toByte(), 0xA0.toByte(), 0x80.toByte()),
            "UTF-16" to VALID.toByteArray(Charsets.UTF_16),
        )
        for ((name, bytes) in files) withClue(name) {
            // The time of this thread on a processor, so that a busy machine makes no difference.
            val start = clock.currentThreadCpuTime
            val mistakes = mistakes(bytes)
            clock.currentThreadCpuTime - start shouldBeLessThan 1_000_000_000
            mistakes.shouldNotBeEmpty()
            val shown = mistakes.joinToString("\n") { it.render() }
            (shown.length < 30_000) shouldBe true
            shown shouldNotContain "Exception"
        }
    }

    @Test
    fun `random bytes never cause anything but mistakes`() = runBlocking<Unit> {
        checkAll(CONFIG, Arb.byteArray(Arb.int(0..200), Arb.byte())) { bytes -> mistakes(bytes).shouldNotBeEmpty() }
    }

    @Test
    fun `random pieces of YAML never cause anything but mistakes`() = runBlocking<Unit> {
        checkAll(CONFIG, Arb.list(Arb.element(PIECES), 0..40).map { it.joinToString("") }) {
            mistakes(it).shouldNotBeEmpty()
        }
    }

    @Test
    fun `random mutations of a valid file give an experiment or mistakes that can be shown`() = runBlocking<Unit> {
        checkAll(CONFIG, Arb.element(VALID, EVERYTHING), Arb.int()) { valid, seed ->
            for (mistake in mistakes(mutated(valid, Random(seed)))) mistake.render() shouldContain mistake.problem
        }
    }

    @Test
    fun `what a terminal would take for a command is not shown`() {
        val shown = mistakes(VALID.replace("ktor-netty", "\"\\e[2Jktor\\u202E\"")).single().render()
        shown shouldNotContain "\u001B"
        shown shouldNotContain "\u202E"
    }

    @Test
    fun `a long line is shown around the place only`() {
        val shown = mistakes("name: a\nquestion: ${"why ".repeat(1_000)}?").first().render()
        shown.lines().filter { it.length > 160 } shouldHaveSize 0
    }

    @Test
    fun `what is not a file to read is named`() {
        whole(Path.of("no-such.yaml")) shouldBe "there is no such file"
        whole(Path.of("no/such/folder.yaml")) shouldBe "there is no such file"
        whole(Path.of(".")) shouldBe "this is not a file to read"
        whole(Path.of("/dev/zero")) shouldBe "this is not a file to read"
    }

    @Test
    fun `a misspelt file name is answered with the nearest`() {
        val tour = projectRoot().resolve("experiments/tuor.yaml")
        runCatching { readExperiment(tour, KNOWN) }.exceptionOrNull()?.message shouldContain "experiments/tour.yaml?"
    }

    private fun whole(path: Path) =
        (runCatching { readExperiment(path, KNOWN) }.exceptionOrNull() as ExperimentMistakes).mistakes.single().problem

    private fun body(text: String) =
        asking("", more = "  send: POST /\n  body: |\n" + text.prependIndent("    ")).toByteArray()

    private fun bomb() = (1..30).joinToString("\n", "a0: &a0 [x, x]\n") { "a$it: &a$it [*a${it - 1}, *a${it - 1}]" }

    private fun mutated(text: String, random: Random): String {
        val result = StringBuilder(text)
        repeat(random.nextInt(1, 5)) {
            val at = random.nextInt(result.length)
            when (random.nextInt(4)) {
                0 -> result.deleteAt(at)
                1 -> result.insert(at, PIECES.random(random))
                2 -> result.setCharAt(at, PIECES.random(random).first())
                else -> result.delete(at, minOf(result.length, at + random.nextInt(1, 30))).append('\n')
            }
        }
        return result.toString()
    }

    private companion object {
        /** One of each key that [VALID] leaves out. */
        val EVERYTHING = """
            name: all
            question: Which?
            stacks: [spring-mvc]
            request:
              - send: POST /{1..5}/{seq}?a={random:9}
                headers: {Content-Type: text/plain, X-Trace: "{random:16}"}
                body: '{"a": "{seq}"}'
                gzip: yes
                expect: {status: [201, 409], contains: a, json: {seat.state: granted}}
                count: outcome
            load:
              - {users: 5, for: 5s, think: 1s..3s, ramp-in: 1s}
              - {steps: [{rate: 5/s, for: 1s}, {poisson: 5/s, for: 1s, seed: 7}, {burst: 5}]}
            connections: {protocol: http/2, streams: 10, tls: {insecure: yes}, most-under-way: 50, connect: at once, from: ['::1']}
        """.trimIndent()
        val clock = ManagementFactory.getThreadMXBean()
        val CONFIG = PropTestConfig(seed = 25, iterations = 2_000)
        val PIECES = listOf(
            "\n", " ", "  ", ": ", "- ", "{", "}", "[", "]", ",", "&a", "*a", "!t", "'", "\"", "|", ">", "#", "?", "%",
            "@",
            "---\n", "\t", "name", "load", "users", "for", "5s", "rate", "1/s", "ramp", "..", "request",
            "GET /", "stacks",
            "{seq}", "{1..9}", "{random:5}", "{csv:a}", "expect", "json", "steps", "think", "connections",
            "situations", "0", "-1", "null", "~", "<<",
            "\u0000", "é", "😀", "\u2028", "\uFEFF", "\\", "warm-up",
        )
    }
}
