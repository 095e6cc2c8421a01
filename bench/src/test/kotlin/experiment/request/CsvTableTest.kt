package threadgauge.experiment.request

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import java.nio.charset.Charset
import java.nio.file.Files
import kotlin.io.path.createDirectories
import kotlin.io.path.writeText
import org.junit.jupiter.api.Test
import threadgauge.experiment.KNOWN
import threadgauge.experiment.asking
import threadgauge.experiment.mistakesBeside
import threadgauge.experiment.readBeside
import threadgauge.experiment.readExperiment
import threadgauge.model.TextEncoding

class CsvTableTest {
    @Test
    fun `quotes, line breaks within them, empty lines and a byte order mark are read as RFC 4180 says`() {
        columns("\uFEFFa,b\r\n\"1,\n\"\"x\"\"\",\r\n\r\n , 2\n") shouldBe mapOf(
            "a" to listOf("1,\n\"x\"", " "), "b" to listOf("", " 2"),
        )
    }

    @Test
    fun `each mistake in a table is told with its line`() {
        val more = "Give each row as many values as the first line has names; put quotes around a comma in a value."
        val head = "The first line names the columns, such as row,seat"
        val quotes = "Put quotes around a whole value, and write \"\" for a quote within it."
        val commas = "Save it with commas (CSV, RFC 4180), and put quotes around a value with a comma in it."
        val cases = listOf(
            "" to listOf("5:43 \"t.csv\" is empty | $head"),
            "\n\n" to listOf("5:43 \"t.csv\" is empty | $head"),
            "a,b\n" to listOf("5:43 \"t.csv\" has a line of names and no rows | Add at least one row."),
            "a,\n1,2\n" to listOf("5:43 t.csv, line 1: a column has no name | $head"),
            "a,a\n1,2\n" to listOf("5:43 t.csv, line 1: two columns are named \"a\" | $head"),
            "a,{b}\n1,2\n" to listOf(
                "5:43 t.csv, line 1: \"{b}\" cannot name a column | Leave out braces and line breaks.",
            ),
            "a,b\n1,2\n1\n\n1,2,3\n" to
                listOf(
                    "5:43 t.csv, line 3: 1 values under 2 names | $more",
                    "5:43 t.csv, line 5: 3 values under 2 names | $more",
                ),
            "a,b\n1,2\n\"1\"2,3\n" to listOf("5:43 t.csv, after line 2: this is not CSV (RFC 4180) | $quotes"),
            "a,b\n1" to listOf("5:43 t.csv, line 2: 1 values under 2 names | $more"),
            "a;b\n1;2\n" to listOf("5:43 t.csv, line 1: values are separated by semicolons, not by commas | $commas"),
            "sep=;\na;b\n" to listOf("5:43 t.csv, line 1: values are separated by semicolons, not by commas | $commas"),
            "\n\"a,1\";b;c,d\n1;2;3\n" to
                listOf("5:43 t.csv, line 1: values are separated by semicolons, not by commas | $commas"),
            "a\tb\n1\t2\n" to listOf("5:43 t.csv, line 1: values are separated by tabs, not by commas | $commas"),
            "a\u00A0,b\n1,2\n" to listOf(
                "5:43 t.csv, line 1: the name of a column holds a no-break space (U+00A0) | " +
                    "Take it out, or put a plain space in its place.",
            ),
            "\"a\"b" to listOf("5:43 t.csv, line 1: this is not CSV (RFC 4180) | $quotes"),
            "a,b\n1,\"2\n" to listOf("5:43 t.csv, after line 1: this is not CSV (RFC 4180) | $quotes"),
            "b,c\n1,2\n" to listOf("5:26 t.csv has no column \"a\" | Known here: b, c."),
            "a\n" + "1\n".repeat(100_001) to listOf("5:43 \"t.csv\" has more than 100,000 rows | Take a part of it."),
            "a\n" + "1".repeat(5_000_000) to listOf("5:43 \"t.csv\" is larger than 5 MB | Take a part of it."),
        )
        for ((text, expected) in cases) withClue(text.take(50)) {
            mistakesBeside(asking("{send: POST /, body: '{csv:a}', csv: t.csv}"), "t.csv" to text) shouldContainExactly
                expected.map { it.replace("5:43", "5:47").replace("5:26", "5:31") }
        }
    }

    @Test
    fun `semicolons and tabs within names and values are text like any other`() {
        columns("a,b\n1;2;3,\"4\t5\"\n") shouldBe mapOf("a" to listOf("1;2;3"), "b" to listOf("4\t5"))
        val unused = "5:25 nothing in this request uses a column of t.csv"
        for (table in listOf("\"x;y\"\n1\n", "x,\"y;z;\"\n1,2\n")) withClue(table) {
            mistakesBeside(asking("{send: POST /, csv: t.csv}"), "t.csv" to table).single() shouldStartWith unused
        }
        mistakesBeside(asking("{send: POST /, csv: t.csv}"), "t.csv" to "\"x;\ny;\"\n1\n").single() shouldContain
            "cannot name a column"
    }

    @Test
    fun `a table in another encoding than UTF-8 is named for what it is`() {
        val text = "a,b\né,ü\n"
        val encodings = mapOf(
            ("\uFEFF$text" to "UTF-16LE") to TextEncoding.UTF_16_LE, (text to "UTF-16LE") to TextEncoding.UTF_16_LE,
            ("\uFEFF$text" to "UTF-16BE") to TextEncoding.UTF_16_BE, (text to "UTF-16BE") to TextEncoding.UTF_16_BE,
            (text to "ISO-8859-1") to TextEncoding.LATIN_1, ("a\n한국\n" to "EUC-KR") to TextEncoding.EUC_KR,
        )
        val folder = Files.createTempDirectory("csv")
        try {
            val file = folder.resolve("e.yaml").also {
                it.writeText(asking("{send: POST /, body: '{csv:a}', csv: t.csv}"))
            }
            for ((saved, encoding) in encodings) withClue(saved) {
                Files.write(folder.resolve("t.csv"), saved.first.toByteArray(Charset.forName(saved.second)))
                val shown = runCatching { readExperiment(file, KNOWN) }.exceptionOrNull()?.message
                shown shouldContain "\"t.csv\" is not UTF-8: it looks like ${encoding.words}"
                shown shouldContain encoding.remedy
            }
        } finally {
            folder.toFile().deleteRecursively()
        }
    }

    @Test
    fun `a table of the greatest size is read`() {
        columns("a,b\n" + "1,2\n".repeat(100_000)).getValue("a").size shouldBe 100_000
    }

    @Test
    fun `a value that cannot stand where it is used is told with its row`() {
        val path = asking("{send: 'GET /{csv:a}', csv: t.csv}")
        mistakesBeside(path, "t.csv" to "a\nx\ny z\n").single() shouldStartWith
            "5:17 the value \"y z\" cannot stand in a path (t.csv, column \"a\", row 2) | "
        mistakesBeside(path, "t.csv" to "a\nx\ny%20z\n") shouldBe emptyList()
        val header = asking("{send: GET /, headers: {A: '{csv:a}'}, csv: t.csv}")
        mistakesBeside(header, "t.csv" to "a\n\"x\ny\"\n")
            .single() shouldStartWith "5:37 the value of \"A\" holds U+000A"
    }

    @Test
    fun `a table that is not used, not there or no text is a mistake`() {
        mistakesBeside(asking("{send: POST /, csv: t.csv}"), "t.csv" to "a\n1\n").single() shouldBe
            "5:25 nothing in this request uses a column of t.csv | Write {csv:a}, or leave it out."
        mistakesBeside(asking("{send: POST /, body: '{csv:a}', csv: seat.csv}"), "seats.csv" to "a\n1\n")
            .single() shouldStartWith
            "5:47 there is no file \"seat.csv\" | Did you mean seats.csv? It was looked for in "
        mistakesBeside(asking("{send: POST /, csv: ..}")).single() shouldStartWith "5:30 \"..\" is not a file to read"
        mistakesBeside(asking("{send: POST /, csv: no/such.csv}")).single() shouldContain "There is no folder"
        val folder = Files.createTempDirectory("csv")
        try {
            Files.write(folder.resolve("t.csv"), byteArrayOf('a'.code.toByte(), '\n'.code.toByte(), -1))
            val file = folder.resolve("deep").createDirectories().resolve("e.yaml")
            file.writeText(asking("{send: POST /, body: '{csv:a}', csv: ../t.csv}"))
            runCatching { readExperiment(file, KNOWN) }.exceptionOrNull()
                ?.message shouldContain "\"../t.csv\" is not UTF-8"
        } finally {
            folder.toFile().deleteRecursively()
        }
    }

    private fun columns(text: String): Map<String, List<String>> {
        val uses = Regex("[a-z]").findAll(text.lineSequence().first()).joinToString("") { "{csv:${it.value}}" }
        return readBeside(asking("{send: POST /, body: '$uses', csv: t.csv}"), "t.csv" to text).situations.single()
            .request.csv
    }
}
