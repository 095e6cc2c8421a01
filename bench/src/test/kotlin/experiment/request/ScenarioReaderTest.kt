package threadgauge.experiment.request

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import threadgauge.experiment.mistakesBeside
import threadgauge.experiment.read
import threadgauge.model.LatencyMeasure
import threadgauge.model.Load
import threadgauge.model.SloGoal
import threadgauge.model.Think
import threadgauge.model.notation
import threadgauge.model.request.Expectation
import threadgauge.model.request.Kept
import threadgauge.model.request.Request
import threadgauge.model.request.Scenario
import threadgauge.model.request.Step

class ScenarioReaderTest {
    @Test
    fun `scenarios with weights, pauses, repetitions and kept values are read`() {
        val situation = read(file(
            """
            scenarios:
              browse:
                weight: 70%
                steps:
                  - GET /products?page={1..20}
                  - {think: 1s..3s}
                  - {repeat: 3, steps: [{send: "GET /products/{1..9}", name: look}, {think: 500ms}]}
              buy:
                weight: 30%
                steps:
                  - {send: POST /carts, expect: {status: 201}, keep: {cart: "json:id", token: "header:X-Token"}}
                  - {send: "POST /carts/{cart}/items", headers: {X-Token: "{token}"}, body: '{"item": {1..500}}'}
                  - {send: "POST /carts/{cart}/pay", goes-on: yes, keep: {a: "cookie:s", b: "pattern:x=([0-9]+)"}}
            """,
        )).situations.single()
        situation.load shouldBe Load.Users(5, 5_000_000_000)
        situation.request shouldBe Request(path = "/products?page={1..20}")
        situation.name shouldBe "browse-buy-5-users"
        val (browse, buy) = situation.scenarios
        browse shouldBe Scenario(
            "browse", 0.7,
            listOf(
                Step("GET /products", situation.request, think = Think(1_000_000_000, 3_000_000_000)),
                Step("look", Request(path = "/products/{1..9}"), think = Think(500_000_000)),
            ),
            order = listOf(0, 1, 1, 1),
        )
        buy.weight shouldBe 0.3
        buy.steps.map { it.name } shouldContainExactly
            listOf("POST /carts", "POST /carts/{cart}/items", "POST /carts/{cart}/pay")
        buy.steps[0].keep shouldBe mapOf("cart" to Kept.Json("id"), "token" to Kept.Header("X-Token"))
        buy.steps[0].request.expect shouldBe Expectation(listOf(201))
        buy.steps[2].keep shouldBe mapOf("a" to Kept.Cookie("s"), "b" to Kept.Pattern("x=([0-9]+)"))
        buy.steps[2].goesOn shouldBe true
        buy.course shouldContainExactly listOf(0, 1, 2)
    }

    @Test
    fun `without weights scenarios are drawn equally, and steps alike have numbers`() {
        val scenarios = read(file("scenarios: {a: {steps: [GET /x, GET /x?y=1]}, b: {steps: GET /z}}"))
            .situations.single().scenarios
        scenarios.map { it.weight } shouldContainExactly listOf(1.0, 1.0)
        scenarios.first().steps.map { it.name } shouldContainExactly listOf("GET /x", "GET /x (2)")
    }

    @Test
    fun `goals may be of a scenario or of a step that there is`() {
        val shop = "scenarios: {buy: {steps: [{send: POST /pay, name: pay}, GET /x]}}\n"
        val goals = read(file(shop + "goals: \"p99<1s, buy.pay p95<500ms, buy.GET /x errors<1%, buy p90<3s\""))
            .goals.values.single()
        goals.ofSteps shouldContainExactly listOf(
            SloGoal.OfStep("buy", "pay", SloGoal.Latency(LatencyMeasure.P95, 500_000.0)),
            SloGoal.OfStep("buy", "GET /x", SloGoal.Errors(0.01)),
            SloGoal.OfStep("buy", null, SloGoal.Latency(LatencyMeasure.P90, 3_000_000.0)),
        )
        goals.notation() shouldBe "p99<1s, buy.pay p95<500ms, buy.GET /x errors<1%, buy p90<3s"
        val wrong = mistakesBeside(file(shop + "goals: buy.play p95<500ms")).single()
        wrong shouldContain "there is no step \"buy.play\" | Did you mean \"buy.pay\"?"
        mistakesBeside(file(shop + "goals: buy throughput>5/s")).single() shouldContain
            "a step has no goal of throughput"
    }

    @Test
    fun `each mistake is told at its place with a remedy`() {
        val cases = listOf(
            "scenarios: GET /x" to "scenarios needs names with steps, and this is a single value",
            "scenarios: {A: {steps: GET /x}}" to "the name \"A\" is not in lower case with hyphens",
            "scenarios: {a: {weight: 50%}}" to "a scenario has no \"steps\"",
            "scenarios: {a: {weight: 50%, steps: GET /x}, b: {steps: GET /y}}" to
                "\"b\" has no weight, and others have one",
            "scenarios: {a: {steps: [{think: 1s}, GET /x]}}" to "a pause before the first request",
            "scenarios: {a: {steps: [GET /x, {think: 1s}, {think: 2s}]}}" to "two pauses, one after the other",
            "scenarios: {a: {steps: [{repeat: 600, steps: [GET /x, GET /y]}]}}" to "a pass has more than 1000 requests",
            "scenarios: {a: {steps: [{repeat: 2, steps: [{repeat: 2, steps: GET /x}]}]}}" to
                "a repetition within a repetition",
            "scenarios: {a: {steps: [\"GET /x/{id}\"]}}" to "the path holds \"{id}\", which is no placeholder",
            "scenarios: {a: {steps: [{send: POST /x, body: \"{id}\"}, {send: GET /y, keep: {id: \"json:id\"}}]}}" to
                "{id} is used before a step keeps it",
            "scenarios: {a: {steps: [{send: GET /y, keep: {seq: \"json:id\"}}]}}" to
                "\"seq\" cannot be the name of a kept value",
            "scenarios: {a: {steps: [{send: GET /y, keep: {x: id}}]}}" to "\"id\" does not say where a value is",
            "scenarios: {a: {steps: [{send: GET /y, keep: {x: \"pattern:(\"}}]}}" to
                "\"(\" is not a regular expression: Unclosed group",
            "scenarios: {a: {steps: [{send: GET /x, name: n}, {send: GET /y, name: n}]}}" to
                "two steps are named \"n\"",
            "scenarios: {a: {steps: GET /x}}\nrequest: GET /y" to
                "\"request\" and \"scenarios\" both say what is asked",
        )
        for ((text, problem) in cases) withClue(text) {
            mistakesBeside(file(text)).single().substringBefore(" | ").substringAfter(' ') shouldBe problem
        }
    }

    private fun file(scenarios: String) = "name: shop\nquestion: Which?\nstacks: [ktor-netty]\n" +
        "load: {users: 5, for: 5s}\n" + scenarios.trimIndent() + "\n"
}
