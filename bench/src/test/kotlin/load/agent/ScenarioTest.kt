package threadgauge.load.agent

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicLong
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.model.Load
import threadgauge.model.Outcome
import threadgauge.model.Think
import threadgauge.model.request.Connections
import threadgauge.model.request.Cookies
import threadgauge.model.request.Expectation
import threadgauge.model.request.Kept
import threadgauge.model.request.Protocol
import threadgauge.model.request.Request
import threadgauge.model.request.Scenario
import threadgauge.model.request.Step

/** Users who do several things one after the other, against servers that count. */
@Tag("ports")
class ScenarioTest : EngineTest() {
    @Test
    fun `each pass asks its steps in order, with what its own answers had, and the server counts the same`() {
        Shop().use { shop ->
            val done = play(shop.port, Load.Loops(users = 5, loops = 40), listOf(BUY), loops = 2)
            val buy = done.scenarios.single()
            listOf(buy.begun, buy.completed, buy.failed, buy.cut) shouldContainExactly listOf(200L, 200L, 0L, 0L)
            buy.steps.map { it.answered } shouldContainExactly listOf(200L, 200L, 200L)
            shop.wrong.toList().shouldBeEmpty()
            shop.paid.size shouldBe 200
            shop.server.requests.get() shouldBe 600
            done.sent shouldBe 600
            done.answered shouldBe 600
            decode(buy.duration).totalCount shouldBe 200
            decode(buy.steps[0].latency).totalCount shouldBe 200
            decode(buy.duration).mean shouldBeAtLeast buy.steps.sumOf { decode(it.latency).mean } * 0.99
        }
    }

    @Test
    fun `the same on HTTP2, with a header and a field of the answer`() {
        val tokens = ConcurrentHashMap.newKeySet<String>()
        val numbers = AtomicInteger()
        Http2Server { _ ->
            when (headers.path().toString()) {
                "/carts" -> {
                    val number = numbers.incrementAndGet()
                    tokens += "token $number"
                    answer("{\"id\": $number}", "201") { add("x-token", "token $number") }
                }
                else -> {
                    val number = headers.path().toString().substringAfterLast('/')
                    val isOwn = headers["x-token"].toString() == "token $number" && "token $number" in tokens
                    answer("ok", if (isOwn) "200" else "400")
                }
            }
        }.use { server ->
            val keep = mapOf("cart" to Kept.Json("id"), "token" to Kept.Header("X-Token"))
            val steps = listOf(
                step("POST /carts", keep = keep),
                step("GET /carts/{cart}", headers = mapOf("X-Token" to "{token}")),
            )
            val connections = Connections(Protocol.HTTP_2, streams = 4)
            val done = play(server.port, Load.Loops(4, 25), listOf(Scenario("own", 1.0, steps)), connections)
            done.scenarios.single().steps.map { it.answered } shouldContainExactly listOf(100L, 100L)
            done.failures shouldBe emptyMap()
        }
    }

    @Test
    fun `users keep cookies on HTTP2, each their own`() {
        val numbers = AtomicInteger()
        val wrong = ConcurrentLinkedQueue<String>()
        Http2Server { _ ->
            val cookie = headers["cookie"]?.toString()
            when (headers.path().toString()) {
                "/enter" -> {
                    if (cookie != null) wrong += cookie
                    val number = numbers.incrementAndGet()
                    answer("{\"n\": $number}") {
                        add("set-cookie", "id=$number; Path=/")
                        add("set-cookie", "cart=$number; Path=/carts")
                    }
                }
                else -> {
                    val number = headers.path().toString().substringAfterLast('/')
                    if (cookie != "cart=$number; id=$number") wrong += "$cookie at $number"
                    answer()
                }
            }
        }.use { server ->
            val steps = listOf(step("GET /enter", keep = mapOf("n" to Kept.Json("n"))), step("GET /carts/{n}"))
            val connections = Connections(Protocol.HTTP_2, streams = 4, cookies = Cookies())
            val done = play(server.port, Load.Loops(4, 25), listOf(Scenario("own", 1.0, steps)), connections)
            done.scenarios.single().completed shouldBe 100
            wrong.toList().shouldBeEmpty()
        }
    }

    @Test
    fun `scenarios are drawn by their weights, the same ones however many loops and slices share the load`() {
        val scenarios = listOf("a" to 7.0, "b" to 2.0, "c" to 1.0).map { (name, weight) ->
            Scenario(name, weight, listOf(step("GET /$name")))
        }
        fun begun(loops: Int, slices: Int): List<Long> = ProgrammableServer { answer() }.use { server ->
            val parts = (0..<slices).map { slice ->
                play(server.port, Load.Loops(8, 250), scenarios, loops = loops) {
                    it.copy(slice = slice, slices = slices)
                }
            }
            merge(parts).scenarios.map { it.begun }
        }
        val alone = begun(1, 1)
        alone.sum() shouldBe 2_000
        // A binomial count is four standard deviations from its mean in one of 15,000 draws; and the seed is fixed.
        alone[0].toDouble() shouldBe (1_400.0 plusOrMinus 82.0)
        alone[1].toDouble() shouldBe (400.0 plusOrMinus 72.0)
        begun(2, 1) shouldContainExactly alone
        begun(1, 2) shouldContainExactly alone
    }

    @Test
    fun `a failed step ends its pass, unless it goes on, and what it would have kept is missing nowhere`() {
        val asked = ConcurrentHashMap<String, AtomicInteger>()
        ProgrammableServer {
            asked.computeIfAbsent(path) { AtomicInteger() }.incrementAndGet()
            answer("{}", if (path == "/bad") "500 No" else "200 OK")
        }.use { server ->
            val ends = Scenario("ends", 1.0, listOf(step("GET /one"), step("GET /bad"), step("GET /three")))
            val done = play(server.port, Load.Loops(2, 10), listOf(ends)).scenarios.single()
            listOf(done.begun, done.completed, done.failed) shouldContainExactly listOf(20L, 0L, 20L)
            done.steps[1].failures shouldBe mapOf(Outcome.SERVER_ERROR to 20L)
            asked["/three"] shouldBe null
            val goesOn = ends.copy(steps = ends.steps.map { it.copy(goesOn = true) })
            play(server.port, Load.Loops(2, 10), listOf(goesOn)).scenarios.single().completed shouldBe 20
            asked.getValue("/three").get() shouldBe 20
            val nothing = listOf(step("GET /x", keep = mapOf("id" to Kept.Json("id"))), step("GET /y/{id}"))
            val scenarios = listOf(Scenario("lacking", 1.0, nothing))
            val lacking = play(server.port, Load.Loops(1, 5), scenarios).scenarios.single()
            lacking.failed shouldBe 5
            lacking.steps[0].failures shouldBe mapOf(Outcome.NOTHING_TO_KEEP to 5L)
        }
    }

    @Test
    fun `users arrive for one pass each, with cookies of their own, and repeated steps count as one`() {
        val jars = ConcurrentLinkedQueue<String>()
        val numbers = AtomicLong()
        ProgrammableServer {
            val cookie = Regex("Cookie: (.*)").find(head)?.groupValues?.get(1)?.trim()
            if (path == "/enter") jars += cookie.orEmpty()
            val set = if (path == "/enter") "Set-Cookie: id=${numbers.incrementAndGet()}; Path=/\r\n" else ""
            answer(cookie.orEmpty(), headers = set)
        }.use { server ->
            val steps = listOf(
                step("GET /enter", keep = mapOf("me" to Kept.Cookie("id"))),
                Step("look", Request(path = "/look/{me}", expect = Expectation(contains = "id="))),
            )
            val scenario = Scenario("visit", 1.0, steps, order = listOf(0, 1, 1, 1))
            val connections = Connections(cookies = Cookies())
            val done = play(server.port, Load.Rate(50.0, 2 * SECOND), listOf(scenario), connections)
            val visit = done.scenarios.single()
            visit.begun shouldBe 100
            visit.completed + visit.cut shouldBe 100
            visit.steps[1].answered shouldBeInRange 3 * visit.completed..300
            jars.toSet() shouldBe setOf("")
            done.failures shouldBe emptyMap()
        }
    }

    @Test
    fun `pauses are between steps and passes, and a pass that is under way at the end is cut, not failed`() {
        ProgrammableServer { answer() }.use { server ->
            val think = Think(200 * MILLI)
            val steps = listOf(step("GET /a").copy(think = think), step("GET /b").copy(think = think))
            val done = play(server.port, Load.Users(10, SECOND), listOf(Scenario("slow", 1.0, steps)))
            val slow = done.scenarios.single()
            // At 0, 400 and 800 ms each user begins a pass: two are completed, and the third is cut or just done.
            slow.begun shouldBeInRange 20L..30L
            slow.begun shouldBe slow.completed + slow.cut + slow.failed
            slow.failed shouldBe 0
            slow.completed shouldBeGreaterThan 9
            (decode(slow.duration).minValue >= 199 * MILLI) shouldBe true
            done.unfinished shouldBe 0
        }
    }

    @Test
    fun `what a server sends cannot break a request out of its line`() {
        val heads = ConcurrentLinkedQueue<String>()
        ProgrammableServer {
            heads += head
            answer("{\"id\": \"a b/../c\\r\\nX: y\"}")
        }.use { server ->
            val keep = mapOf("id" to Kept.Json("id"))
            val second = step("GET /x/{id}", headers = mapOf("X-Id" to "<{id}>"))
            val steps = listOf(step("GET /first", keep = keep), second)
            play(server.port, Load.Loops(1, 1), listOf(Scenario("hostile", 1.0, steps)))
            val head = heads.last()
            head shouldContain "GET /x/a%20b/../c%0D%0AX:%20y HTTP/1.1\r\n"
            head shouldContain "X-Id: <a b/../c  X: y>\r\n"
        }
    }

    @Test
    fun `the lead-in counts in no step and no pass`() {
        ProgrammableServer { answer() }.use { server ->
            val done = play(server.port, Load.Users(2, SECOND), listOf(Scenario("s", 1.0, listOf(step("GET /"))))) {
                it.copy(leadInNanos = SECOND / 2)
            }
            val steps = done.scenarios.single().steps.single()
            steps.answered shouldBe done.answered
            (server.requests.get() > done.sent) shouldBe true
        }
    }

    private fun play(
        port: Int,
        load: Load,
        scenarios: List<Scenario>,
        connections: Connections = Connections(),
        loops: Int = 1,
        edit: (WorkOrder) -> WorkOrder = { it },
    ) = load(port, load, loops) {
        val first = scenarios.first().steps.first().request
        edit(it.copy(request = first, connections = connections, scenarios = scenarios))
    }.done

    private fun step(line: String, headers: Map<String, String> = emptyMap(), keep: Map<String, Kept> = emptyMap()) =
        Step(line, Request(line.substringBefore(' '), line.substringAfter(' '), headers), keep)

    /** A shop that takes no request but those that fit what it has answered before. */
    private class Shop : AutoCloseable {
        val wrong = ConcurrentLinkedQueue<String>()
        val paid = ConcurrentHashMap.newKeySet<String>()
        private val carts = ConcurrentHashMap<String, String>()
        private val filled = ConcurrentHashMap.newKeySet<String>()
        private val numbers = AtomicInteger()
        val server = ProgrammableServer {
            val id = path.split('/').getOrNull(2)
            when {
                path == "/carts" -> {
                    val number = numbers.incrementAndGet()
                    carts["c$number"] = "t$number"
                    val page = "<i name=n value=k$number>"
                    val body = "{\"cart\": {\"id\": \"c$number\"}, \"page\": \"$page\"}"
                    answer(body, "201 Created", "X-Token: t$number\r\n")
                }
                path.endsWith("/items") && hasItsValues(id.orEmpty()) -> {
                    filled += id!!
                    answer("{}")
                }
                path.endsWith("/pay") && id in filled && paid.add(id!!) -> answer("{\"state\": \"PAID\"}")
                else -> {
                    wrong += head
                    answer("no", "400 Bad Request")
                }
            }
        }
        val port get() = server.port

        private fun ProgrammableServer.Exchange.hasItsValues(cart: String) =
            "X-Token: ${carts[cart]}\r\n" in head && body == "{\"nonce\": \"k${cart.drop(1)}\"}"

        override fun close() = server.close()
    }

    private companion object {
        val BUY = Scenario(
            "buy", 1.0,
            listOf(
                Step(
                    "open", Request("POST", "/carts", expect = Expectation(listOf(201))),
                    mapOf(
                        "cart" to Kept.Json("cart.id"), "token" to Kept.Header("x-token"),
                        "nonce" to Kept.Pattern("value=([a-z0-9]+)>"),
                    ),
                ),
                Step(
                    "fill",
                    Request("POST", "/carts/{cart}/items", mapOf("X-Token" to "{token}"), "{\"nonce\": \"{nonce}\"}"),
                ),
                Step(
                    "pay", Request("POST", "/carts/{cart}/pay", expect = Expectation(json = mapOf("state" to "PAID"))),
                ),
            ),
        )

        infix fun Double.shouldBeAtLeast(least: Double) = (this >= least) shouldBe true
    }
}
