package threadgauge.experiment.yaml

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.charset.Charset
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.readText
import kotlin.io.path.writeText
import org.junit.jupiter.api.Test
import threadgauge.experiment.VALID
import threadgauge.experiment.mistakes
import threadgauge.experiment.problems
import threadgauge.model.TextEncoding

class ExperimentMistakesTest {
    @Test
    fun `a file in another encoding than UTF-8 is named for what it is, with what to do`() {
        val text = "name: tour\nquestion: café?\n"
        for ((charset, marked) in listOf("UTF-16LE", "UTF-16BE").flatMap { listOf(it to true, it to false) }) {
            val bytes = (if (marked) "\uFEFF$text" else text).toByteArray(Charset.forName(charset))
            val encoding = if (charset.endsWith("LE")) TextEncoding.UTF_16_LE else TextEncoding.UTF_16_BE
            val mistake = mistakes(bytes).single()
            mistake.line shouldBe 0
            mistake.problem shouldBe "this file is ${encoding.words}, not UTF-8"
            mistake.remedy shouldBe encoding.remedy
        }
        val latin = mistakes(text.toByteArray(Charsets.ISO_8859_1)).single()
        "${latin.line}:${latin.column} ${latin.problem}" shouldBe
            "2:14 this is not UTF-8: the file looks like Latin-1 or Windows-1252"
        latin.remedy shouldBe TextEncoding.LATIN_1.remedy
    }

    @Test
    fun `ten mistakes and more are shown together as approved`() {
        val text = resource("ten-mistakes.yaml")
        val shown = mistakes(text).joinToString("\n") { it.copy(file = "ten-mistakes.yaml").render() }
        val received = Path.of("target/ten-mistakes.received.txt")
        Files.createDirectories(received.parent)
        received.writeText(shown)
        withClue("compare $received with src/test/resources/experiment/ten-mistakes.approved.txt") {
            shown shouldBe resource("ten-mistakes.approved.txt")
        }
    }

    @Test
    fun `each mistake in a value is found at its place`() {
        val cases = listOf(
            "name: tour" to "name: Grand Tour" to "1:7 the name \"Grand Tour\" is not in lower case with hyphens",
            "Which one fits?" to "Which one fits" to "2:11 the question does not end with a question mark",
            "[spring-mvc," to "[spring-mcv," to "3:10 unknown stack \"spring-mcv\"",
            "[spring-mvc," to "[ktor-netty," to "3:22 the stack \"ktor-netty\" is named twice, first on line 3",
            "[spring-mvc, ktor-netty]" to "[]" to "3:9 stacks is an empty list",
            "[spring-mvc, ktor-netty]" to "[[ktor-netty]]" to "3:10 a stack must be a single value, not a list",
            "GET /hello" to "FETCH /hello" to "7:14 \"FETCH\" is not a method",
            "GET /hello" to "get /hello" to "7:14 \"get\" is not a method",
            "GET /hello" to "/hello" to "7:14 \"/hello\" has no method",
            "GET /hello" to "GET hello" to "7:14 the path \"hello\" does not begin with a slash",
            "GET /hello" to "GET" to "7:14 the request has no path",
            "GET /hello" to "GET /hello world" to "7:14 the path holds \" \", which no request line may",
            "GET /hello" to "GET http://a/x" to
                "7:14 \"http://a/x\" names a server; the bench puts in each stack's own",
            "GET /hello" to "\"GET /hel\\u0007lo\"" to "7:14 the path holds control character U+0007",
            "GET /hello" to "GET /a%2" to "7:14 a % in the path is not followed by two hexadecimal digits",
            "users: 50" to "users: 0" to "8:19 users cannot be 0: less than 1",
            "users: 50" to "users: -3" to "8:19 users cannot be -3: less than 1",
            "users: 50" to "users: 100001" to "8:19 users cannot be 100001: more than 100000",
            "users: 50" to "users: 1.5" to "8:19 \"1.5\" is not a whole number",
            "users: 50" to "users: 99999999999999999999" to
                "8:19 users cannot be 99999999999999999999: more than 100000",
            "users: 50" to "burst: 50" to "8:23 \"for\" does not go with \"burst\"",
            "users: 50" to "rate: -5/s" to "8:18 rate: \"-5/s\" is negative",
            "users: 50" to "rate: 2000" to "8:18 rate: \"2000\" has no unit",
            "users: 50" to "rate: 1000001/s" to "8:18 rate: \"1000001/s\" is more than 1000000/s",
            "users: 50" to "rate: 0/s" to "8:18 rate: \"0/s\" is less than 1/h",
            "users: 50" to "ramp: 0/s..0/s" to "8:18 a ramp from 0 to 0 never sends a request",
            "users: 50" to "ramp: 5/s" to "8:18 \"5/s\" is not a ramp",
            "users: 50" to "ramp: 5..500/s" to "8:18 ramp from: \"5\" has no unit",
            "users: 50" to "loops: 50" to "8:11 this load does not say how requests arrive",
            "for: 5s" to "loops: 5, for: 5s" to "8:23 \"loops\" and \"for\" both say when to end",
            "for: 5s" to "rate: 5/s, for: 5s" to "8:23 \"rate\" does not go with \"users\"",
            ", for: 5s" to "" to "8:11 a load has no \"for\"",
            "for: 5s" to "for: 5" to "8:28 for: \"5\" has no unit",
            "for: 5s" to "for: 0s" to "8:28 for: \"0s\" is less than 1ms",
            "for: 5s" to "for: 25h" to "8:28 for: \"25h\" is more than 24h",
            "for: 5s" to "for: 5 sec" to "8:28 for: \"sec\" is not how this unit is written here",
            "for: 5s" to "for: 5 parsecs" to "8:28 for: \"parsecs\" is not a unit of a duration",
            "for: 5s" to "for: soon" to "8:28 for: \"soon\" is not a duration",
            "trials: 3" to "trials: 0" to "9:9 trials cannot be 0: less than 1",
            "trials: 3" to "trials:" to "9:8 trials has no value",
            "margin: 3%" to "margin: 0.03" to "10:9 margin: \"0.03\" has no unit",
            "all cores" to "all core" to "11:55 compiler cannot be \"all core\"",
            "budget: 30s" to "budget: 500ms" to "11:10 the warm-up's budget is shorter than one stretch of its load",
        )
        for ((change, expected) in cases) withClue(change) {
            val (before, after) = change
            VALID shouldContain before
            problems(VALID.replaceFirst(before, after)) shouldContainExactly listOf(expected)
        }
    }

    @Test
    fun `mistakes in the structure are found at their places`() {
        problems(VALID.replace("words: are", "wrods: are")) shouldContainExactly
            listOf("6:5 unknown key \"wrods\" in a situation")
        problems("slo: {}\n$VALID") shouldContainExactly listOf(
            "1:1 unknown key \"slo\" in an experiment",
        )
        problems("$VALID\nname: again") shouldContainExactly listOf(
            "12:1 \"name\" is here again; the first is on line 1",
        )
        problems("$VALID\nrequest: GET /") shouldContainExactly listOf(
            "12:1 \"request\" does not go with \"situations\"",
        )
        problems("$VALID\n---\n$VALID") shouldContainExactly listOf("12:1 a second document begins here")
        problems("$VALID\n[b]: c") shouldContainExactly listOf("12:1 a key must be a single word, not a list")
        problems("name: a\nquestion: b?\nstacks: ktor-netty") shouldContainExactly
            listOf("1:1 an experiment has no \"situations\"")
        problems("name: a\nquestion: b?\nstacks: ktor-netty\nrequest: GET /") shouldContainExactly
            listOf("1:1 an experiment has no \"load\"")
        problems("- a\n- b") shouldContainExactly listOf("1:1 an experiment needs keys with values, and this is a list")
        problems("hello") shouldContainExactly listOf(
            "1:1 an experiment needs keys with values, and this is a single value",
        )
        for (empty in listOf("", "\n\n", "# only words", "---", "null")) withClue(empty) {
            problems(empty) shouldContainExactly listOf("1:1 the file says nothing")
        }
    }

    @Test
    fun `equal names and equal situations are refused`() {
        val twice =
            VALID.replace("trials: 3", "  - {name: answers-at-once, words: b, request: GET /, load: {burst: 1}}")
        problems(twice) shouldContainExactly listOf("9:12 a situation on line 5 is named \"answers-at-once\" too")
        problems(
            "name: a\nquestion: b?\nstacks: ktor-netty\nrequest: GET /\nload: [{burst: 1}, {burst: 1}]",
        ) shouldContainExactly
            listOf("5:20 this load is the same as the one on line 5")
    }

    @Test
    fun `the nearest spelling is part of the remedy`() {
        mistakes(VALID.replace("[spring-mvc,", "[spring-mcv,")).single()
            .remedy shouldContain "Did you mean \"spring-mvc\"?"
        mistakes(VALID.replace("trials", "trial")).single().remedy shouldContain "Did you mean \"trials\"?"
        mistakes(VALID.replace("for: 5s", "for: 5min")).single().remedy shouldBe "Write 5m."
        mistakes(VALID.replace("GET /", "GTE /")).single().remedy shouldContain "Did you mean \"GET\"?"
    }

    private fun resource(name: String) =
        checkNotNull(javaClass.getResource("/experiment/$name")) { "no resource $name" }.toURI().let(Path::of)
            .readText()
}
