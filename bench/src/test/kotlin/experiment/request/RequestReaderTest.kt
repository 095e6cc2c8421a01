package threadgauge.experiment.request

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.experiment.asking
import threadgauge.experiment.mistakesOf
import threadgauge.experiment.problems
import threadgauge.experiment.read
import threadgauge.experiment.readBeside
import threadgauge.experiment.shown
import threadgauge.experiment.yaml.name
import threadgauge.experiment.yaml.words
import threadgauge.model.request.Expectation
import threadgauge.model.request.Request

class RequestReaderTest {
    @Test
    fun `a request with everything is read exactly`() {
        val request = """
          send: POST /api/seats/{1..10000}/hold?x={csv:seat}
          headers: {Content-Type: application/json, X-Trace: "{random:16}", Host: example.org, Expect: 100-continue, X-Empty: ""}
          body: '{"user": "{seq}", "row": "{csv:row}", "more": {}}'
          csv: seats.csv
          gzip: yes
          expect: {status: [201, 409], body: "ok granted", contains: granted, json: {seat.state: granted, seat.0: null, a: ""}}
          count: outcome
        """.trimIndent().prependIndent("  ")
        val seats = "row,seat,unused\r\nA,1,x\r\n\"B, \"\"left\"\"\",2,y\r\n\r\n"
        readBeside(asking("\n$request"), "seats.csv" to seats).situations.single().request shouldBe Request(
            method = "POST",
            path = "/api/seats/{1..10000}/hold?x={csv:seat}",
            headers = mapOf(
                "Content-Type" to "application/json", "X-Trace" to "{random:16}", "Host" to "example.org",
                "Expect" to "100-continue", "X-Empty" to "",
            ),
            body = """{"user": "{seq}", "row": "{csv:row}", "more": {}}""",
            gzip = true,
            expect = Expectation(
                listOf(201, 409), "ok granted", "granted", mapOf(
                    "seat.state" to "granted", "seat.0" to "null", "a" to "",
                ),
            ),
            count = "outcome",
            csv = mapOf("row" to listOf("A", "B, \"left\""), "seat" to listOf("1", "2")),
        )
    }

    @Test
    fun `lines and keys may stand side by side, and defaults are those of a line`() {
        read(asking("[GET /a, {send: GET /a?x=1}, {send: PUT /b, body: x}]"))
            .situations.map { it.request } shouldContainExactly
            listOf(Request("GET", "/a"), Request("GET", "/a?x=1"), Request("PUT", "/b", body = "x"))
        read(asking("{send: GET /a, expect: {status: 404}}")).situations.single().request shouldBe
            Request("GET", "/a", expect = Expectation(listOf(404)))
        read(asking("\"GET /{random:1000}/{0..9223372036854775807}\"")).situations.single().request.path shouldBe
            "/{random:1000}/{0..9223372036854775807}"
    }

    @Test
    fun `names in the short form are unique, readable and short`() {
        val load = "{steps: [{rate: 100/s, for: 1s}, {ramp: 1/s..5/s, for: 1s}, {burst: 9}]}"
        val requests =
            "[{send: POST /a, body: x}, {send: POST /a, body: y}, '${"GET /api/{random:8}/" + "long/".repeat(20)}']"
        val situations =
            read(asking(requests, "[$load, {poisson: 5/s, for: 1s}, {poisson: 5/s, for: 1s, seed: 2}]")).situations
        situations.map { it.name } shouldContainExactly listOf(
            "post-a-steps-100-1-to-5-9", "post-a-poisson-5", "post-a-poisson-5-2",
            "post-a-steps-100-1-to-5-9-2", "post-a-poisson-5-3", "post-a-poisson-5-4",
            "api-random-8-long-long-long-long-lon-steps-100-1-to-5-9", "api-random-8-long-long-long-long-lon-poisson-5",
            "api-random-8-long-long-long-long-lon-poisson-5-2",
        )
        situations[0].words shouldBe "call POST /a, with a body (100/s for 1 s, then 1/s to 5/s in 1 s, then 9 at once)"
        val many = "{steps: [${(1..90).joinToString { "{rate: $it/s, for: 1s}" }}]}"
        read(asking("GET /", many)).situations.single().name.length shouldBe 80
    }

    @Test
    fun `each mistake in a line is told at its place with a remedy`() {
        val known = "Known here: {1..10000}, {seq}, {random:8}, {csv:column}."
        val keys = "Write the request as keys: {send: \"GET /articles/{csv:id}\", csv: articles.csv}"
        expectMistakes(
            "GET /a/{id}/b" to
                "5:10 the path holds \"{id}\", which is no placeholder | $known Write %7B for the sign itself.",
            "GET /a/}" to "5:10 the path holds \"}\", which is no placeholder | $known Write %7D for the sign itself.",
            "GET /a/{10..1}" to "5:10 \"{10..1}\" is no placeholder: the range ends before it begins | Write {1..10}.",
            "GET /a/{-1..1}" to
                "5:10 \"{-1..1}\" is no placeholder: a range has two whole numbers from 0 on | Write {1..10000}, " +
                "for example.",
            "GET /a/{1..9223372036854775808}" to
                "5:10 \"{1..9223372036854775808}\" is no placeholder: its numbers are too large | " +
                "Write a range such as {1..10000}, up to 9223372036854775807.",
            "GET /a/{Seq}" to
                "5:10 \"{Seq}\" is no placeholder: the number of the request is written in one way | Write {seq}.",
            "GET /a/{random:0}" to
                "5:10 \"{random:0}\" is no placeholder: a random text has a length from 1 to 1000 | Write " +
                "{random:8}, for example.",
            "GET /a/{csv}" to
                "5:10 \"{csv}\" is no placeholder: a column has a name | Write {csv:column}, for example.",
            "GET /a/{csv:id}" to "5:10 \"{csv:id}\" needs a file with values | $keys",
            "GET /${"{random:1000}".repeat(5)}" to
                "5:10 the path is longer than 4000 characters | Servers refuse such lines.",
            "GET /a/%{1..9}" to
                "5:10 a % in the path is not followed by two hexadecimal digits | Write %25 for the sign itself.",
            "[[GET /]]" to
                "5:11 request must be a single value, not a list | Write a method and a path, such as GET /hello.",
        )
    }

    @Test
    fun `each mistake in the keys is told at its place with a remedy`() {
        val body = "the body in quotes, such as '{\"user\": \"{seq}\"}'"
        expectMistakes(
            "{snd: GET /}" to "5:11 unknown key \"snd\" in a request | Did you mean \"send\"? " +
                "Known here: send, headers, body, csv, gzip, expect, count, stream.",
            "{body: x}" to "5:10 a request has no \"send\" | Add a line such as send: POST /customers",
            "{send: GET /, body: x}" to
                "5:24 a GET carries no body | Leave it out, or send POST, PUT, PATCH or DELETE.",
            "{send: POST /, body: {a: 1}}" to "5:31 body must be a single value, not keys with values | Write $body.",
            "{send: POST /, body: '{random:x}'}" to
                "5:31 \"{random:x}\" is no placeholder: a random text has a length from 1 to 1000 | Write " +
                "{random:8}, for example.",
            "{send: POST /, body: x, gzip: maybe}" to
                "5:40 gzip cannot be \"maybe\" | Write yes or no.",
            "{send: GET /, headers: [a]}" to
                "5:33 headers need names with values, and this is a list | Write {Content-Type: application/json}.",
            "{send: GET /, headers: {A b: c}}" to
                "5:34 \"A b\" is not the name of a header | Names have letters, digits and hyphens, such as X-Trace.",
            "{send: GET /, headers: {A: b, a: c}}" to
                "5:40 \"a\" is here again; the first is on line 5 | Keep one: case does not count.",
            "{send: GET /, headers: {A: \"b\\r\\nC: d\"}}" to
                "5:37 the value of \"A\" holds U+000D, which no header may | Visible ASCII, blanks and tabs may " +
                "stand there.",
            "{send: GET /, headers: {A: é}}" to
                "5:37 the value of \"A\" holds U+00E9, which no header may | Visible ASCII, blanks and tabs may " +
                "stand there.",
            "{send: GET /, headers: {A: {random:5}}}" to
                "5:37 \"A\" must be a single value, not keys with values | Write the value in quotes, such as " +
                "\"{random:16}\".",
            "{send: GET /, headers: {content-length: 5}}" to
                "5:34 \"content-length\" is set by the load agent, which counts the body of each request | Leave it " +
                "out.",
            "{send: GET /, headers: {Connection: close}}" to
                "5:34 \"Connection\" speaks of the connection, which the load agent keeps | Leave it out; see " +
                "\"connections\".",
            "{send: POST /, headers: {Expect: 100-continue}}" to
                "5:25 \"Expect\" asks whether a body may follow, and there is none | Add a body, or leave it out.",
            "{send: POST /, body: x, headers: {Expect: joy}}" to "5:52 \"joy\" cannot be expected | " +
                "HTTP knows 100-continue alone; answers are checked by \"expect\" of the request.",
            "{send: GET /, gzip: yes, headers: {Accept-Encoding: br}}" to
                "5:24 \"gzip\" and \"Accept-Encoding\" both say how an answer may be compressed | Keep one of them.",
            "{send: GET /, expect: {status: 100}}" to
                "5:41 status cannot be 100: less than 200 | Write a whole number from 200 to 599.",
            "{send: GET /, expect: {status: [201, 201]}}" to "5:47 the status 201 is named twice | Leave one out.",
            "{send: GET /, expect: {body: a, contains: b}}" to
                "5:52 the body that is expected does not contain this | No answer could be correct; leave one out.",
            "{send: GET /, expect: {json: [a]}}" to
                "5:39 json needs fields with values, and this is a list | Write {seat.state: granted}.",
            "{send: GET /, expect: {json: {a..b: c}}}" to
                "5:40 \"a..b\" is not the path of a field | Write names with dots between them, such as seat.state.",
            "{send: GET /, expect: ok}" to "5:32 expect needs keys with values, and this is a single value | " +
                "Write {status: 201}, {contains: granted} or {json: {seat.state: granted}}",
            "{send: GET /, count: .a}" to
                "5:31 \".a\" is not the path of a field | Write names with dots between them, such as seat.state.",
            "{send: HEAD /, expect: {contains: a}}" to
                "5:34 the answer to a HEAD has no body to check | Leave it out, or send GET.",
            "{send: HEAD /, count: a}" to
                "5:25 the answer to a HEAD has no body to count in | Leave it out, or send GET.",
        )
    }

    @Test
    fun `mistakes in all parts of a request are told together`() {
        val rest = "headers: {a b: c, Host: d}, body: '{1..0}', gzip: 1, expect: {status: x}, count: "
        // A brace ends a plain text within braces, so this is no YAML.
        problems(asking("{send: GET /{id}, $rest}")).size shouldBe 1
        problems(asking("{send: 'GET /{id}', ${rest}a..b}")).map { it.substringAfter(' ') } shouldContainExactly listOf(
            "the path holds \"{id}\", which is no placeholder", "\"a b\" is not the name of a header",
            "\"{1..0}\" is no placeholder: the range ends before it begins", "gzip cannot be \"1\"",
            "\"x\" is not a whole number",
            "\"a..b\" is not the path of a field",
        )
    }

    @Test
    fun `what a stream cannot have is told at its place with a remedy`() = expectMistakes(
        "{send: GET /, stream: event}" to
            "5:32 stream cannot be \"event\" | Did you mean \"events\"? Known here: events, websocket.",
        "{send: GET /, stream: events, gzip: yes}" to
            "5:40 a stream is not kept, so \"gzip\" has nothing to read | Leave it out.",
        "{send: GET /, stream: events, expect: {contains: a}}" to
            "5:40 a stream is not kept, so its text cannot be checked | Check status or messages.",
        "{send: GET /, expect: {messages: 5}}" to "5:24 messages are those of a stream | Add stream: events.",
        "{send: POST /, stream: websocket}" to
            "5:25 a WebSocket begins with a GET, and this is a POST | Send GET.",
        "{send: GET /, stream: websocket, expect: {status: 200}}" to
            "5:43 a WebSocket begins with status 101, always | Leave the status out.",
    )

    @Test
    fun `several mistakes in one path are told together`() {
        val found = problems(asking("'GET /{id}/{1..0}/{csv:a}/{random}'")).map { it.substringAfter(' ') }
        found shouldContainExactly listOf(
            "\"{1..0}\" is no placeholder: the range ends before it begins",
            "\"{random}\" is no placeholder: a random text has a length from 1 to 1000",
            "\"{csv:a}\" needs a file with values", "the path holds \"{id}\", which is no placeholder",
        )
    }

    private fun expectMistakes(vararg cases: Pair<String, String>) {
        mistakesOf(cases.map { it.first }) { asking(it) } shouldBe shown(cases.toList())
    }
}
