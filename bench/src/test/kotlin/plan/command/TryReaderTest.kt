package threadgauge.plan.command

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import kotlin.io.path.writeText
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.experiment.mistakes
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.model.ConcurrencyModel
import threadgauge.model.Load
import threadgauge.model.Stack
import threadgauge.model.Think
import threadgauge.model.notation
import threadgauge.model.request.Connections
import threadgauge.model.request.Expectation
import threadgauge.model.request.Protocol
import threadgauge.model.request.Tls

class TryReaderTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `without options it is 50 users for 10 s at the root, and says so`() {
        val tried = readTry(TryOrder(listOf("sh run")), CATALOGUE)
        val experiment = tried.plan.experiment
        experiment.situations.single().load shouldBe Load.Users(50, 10_000_000_000)
        experiment.situations.single().request.path shouldBe "/"
        experiment.trials shouldBe 5
        experiment.question shouldBe "How does sh serve GET /?"
        tried.assumed shouldContainExactly listOf(
            "No load was asked for, so it is 50 users for 10 s " +
                "(--users, --rate, --poisson, --ramp, --steps or --burst, and --for).",
            "No path was asked for, so it is / (--path or --request).",
        )
    }

    @Test
    fun `loads are read as those of experiment files`() {
        load(TryOrder(ONE, rate = "200/s", length = "2m")) shouldBe Load.Rate(200.0, 120_000_000_000)
        load(TryOrder(ONE, ramp = "5/s..50/s")) shouldBe Load.Ramp(5.0, 50.0, 10_000_000_000)
        load(TryOrder(ONE, burst = "500")) shouldBe Load.Burst(500)
        load(TryOrder(ONE, users = "7", length = "300ms")) shouldBe Load.Users(7, 300_000_000)
    }

    @Test
    fun `goals are read as those of experiment files`() {
        val experiment = plan(TryOrder(ONE, goals = "p99<300ms, throughput>20/s")).experiment
        experiment.goals.keys shouldBe experiment.situations.map { it.name }.toSet()
        experiment.goals.values.single().notation() shouldBe "p99<300ms, throughput>20/s"
        plan(TryOrder(ONE)).experiment.goals shouldBe emptyMap()
        mistakes(TryOrder(ONE, goals = "p99<300")) shouldContain "--goals:1:1: the limit of p99: \"300\" has no unit"
    }

    @Test
    fun `the path may stand in the URL, and is the same for all`() {
        plan(TryOrder(listOf("http://localhost:1/a?b=c"))).experiment.situations.single().request.path shouldBe "/a?b=c"
        plan(TryOrder(listOf("http://localhost:1/a", "sh x"), path = "/a")).experiment.situations.single()
            .request.path shouldBe "/a"
        mistakes(
            TryOrder(listOf("http://localhost:1/a", "http://localhost:2/b")),
        ) shouldContain "different paths: \"/a\", \"/b\""
        plan(TryOrder(listOf("http://localhost:1/"), path = "/b")).experiment.situations.single()
            .request.path shouldBe "/b"
        mistakes(TryOrder(listOf("http://localhost:1/a"), path = "/b")) shouldContain "--path: the URL says \"/a\""
    }

    @Test
    fun `a request file holds what an experiment file does, with or without its key`() {
        val file = folder.resolve("order.yaml")
        val keys = "send: POST /orders/{1..9}\nbody: '{}'\nexpect: {status: 201}"
        for (text in listOf(keys, "request: {send: 'POST /orders/{1..9}', body: '{}', expect: {status: 201}}")) {
            file.writeText(text)
            val request = plan(TryOrder(ONE, requestFile = file)).experiment.situations.single().request
            request.method shouldBe "POST"
            request.path shouldBe "/orders/{1..9}"
            request.body shouldBe "{}"
            request.expect shouldBe Expectation(statuses = listOf(201))
        }
        file.writeText("sent: POST /orders")
        mistakes(TryOrder(ONE, requestFile = file)) shouldContain "order.yaml:1:1: unknown key \"sent\""
    }

    @Test
    fun `everything that is wrong is told at once, by the names of the options`() {
        val order = TryOrder(
            listOf("nope", "http://example.com/"), names = listOf("a", "A"), path = "orders", users = "many",
            length = "10", margin = "70%", port = 70_000, startWithin = "soon", insecure = true,
        )
        val mistakes = shouldThrow<ExperimentMistakes> { readTry(order, CATALOGUE) }.mistakes
        mistakes.map { it.file } shouldContainExactly listOf(
            "TARGET", "TARGET", "--against-name", "--path", "--users", "--for", "--margin", "--start-within", "--port",
            "--insecure",
        )
        mistakes(TryOrder(ONE, users = "many")) shouldBe
            "--users: \"many\" is not a whole number\n    Write a whole number from 1 to 100000.\n"
        mistakes(TryOrder(ONE, rate = "200")) shouldBe
            "--rate: \"200\" has no unit\n    Write 200/s, for example; the units are /s, /m, /h.\n"
        mistakes(TryOrder(ONE, ramp = "5/s")) shouldBe
            "--ramp: \"5/s\" is not a ramp\n    Write two rates: --ramp 5/s..500/s --for 60s\n"
        mistakes(TryOrder(ONE, burst = "5", length = "1s")) shouldContain "--for: a burst arrives in one instant"
        mistakes(TryOrder(ONE, burst = "5", users = "1")) shouldContain "--users, --burst: these are different loads"
        mistakes(TryOrder(ONE, trials = 0)) shouldContain "--trials: 0 trials are not possible"
    }

    @Test
    fun `arrivals at independent moments, steps and users who think are loads of the command line, too`() {
        load(TryOrder(ONE, poisson = "200/s", length = "5s")) shouldBe Load.Poisson(200.0, 5_000_000_000)
        load(TryOrder(ONE, steps = "100/s for 5s, 400/s for 2s")) shouldBe
            Load.Steps(listOf(Load.Rate(100.0, 5_000_000_000), Load.Rate(400.0, 2_000_000_000)))
        load(TryOrder(ONE, users = "5", length = "3s", think = "1s..3s")) shouldBe
            Load.Users(5, 3_000_000_000, Think(1_000_000_000, 3_000_000_000))
        load(TryOrder(ONE, think = "1s")) shouldBe Load.Users(50, 10_000_000_000, Think(1_000_000_000, 1_000_000_000))
        mistakes(TryOrder(ONE, rate = "5/s", think = "1s")) shouldContain "--think: only users think"
        mistakes(TryOrder(ONE, think = "3s..1s")) shouldContain "--think: \"3s..1s\" ends before it begins"
        mistakes(TryOrder(ONE, steps = "100/s")) shouldContain "--steps: \"100/s\" is not a step"
        mistakes(TryOrder(ONE, steps = "100 for 5s")) shouldContain "--steps: rate: \"100\" has no unit"
        mistakes(TryOrder(ONE, steps = "1/s for 1s", length = "5s")) shouldContain "--for: each step says how long"
        mistakes(TryOrder(ONE, steps = "1/s for 1s", poisson = "1/s")) shouldContain
            "--poisson, --steps: these are different loads"
    }

    @Test
    fun `each path is a situation of its own`() {
        val plan = plan(TryOrder(ONE, path = "/orders", morePaths = listOf("/products?page={1..20}"), users = "5"))
        plan.experiment.situations.map { it.request.path } shouldContainExactly
            listOf("/orders", "/products?page={1..20}")
        plan.experiment.question shouldContain "GET /orders and 1 more"
        mistakes(TryOrder(ONE, path = "/a", morePaths = listOf("/a"))) shouldContain "--path: \"/a\" is here twice"
        mistakes(TryOrder(listOf("http://localhost:1/a"), path = "/a", morePaths = listOf("/b"))) shouldContain
            "--path: the URL says \"/a\""
    }

    @Test
    fun `TLS comes from a URL or an option and holds for all`() {
        connections(
            TryOrder(listOf("https://localhost:1/", "sh x"), http2 = true),
        ) shouldBe Connections(Protocol.HTTP_2, Tls())
        connections(TryOrder(ONE, maxHeaderBytes = "8000", repeatUnprocessed = true)) shouldBe
            Connections(maxHeaderBytes = 8_000, repeatUnprocessed = true)
        mistakes(TryOrder(ONE, maxHeaderBytes = "8k")) shouldContain "--max-header-bytes: "
        connections(TryOrder(ONE, tls = true, insecure = true)) shouldBe Connections(tls = Tls(insecure = true))
        mistakes(TryOrder(listOf("https://localhost:1/", "http://localhost:2/"))) shouldContain
            "one target is asked over TLS and another without"
        mistakes(TryOrder(listOf("ktor-netty"), http2 = true)) shouldContain
            "ktor-netty cannot be asked over the connections of"
    }

    @Test
    fun `two of one name are told apart by what differs`() {
        val commands = listOf("java -jar shop.jar", "java -Dspring.threads.virtual.enabled=true -jar shop.jar")
        val (plain, virtual) = plan(TryOrder(commands)).stacks
        listOf(plain.name, virtual.name) shouldContainExactly listOf("shop", "shop-b")
        listOf(plain.title, virtual.title) shouldContainExactly listOf(
            "shop", "shop-b (spring.threads.virtual.enabled=true)",
        )
        plan(TryOrder(listOf("A=1 sh x", "A=2 sh x")))
            .stacks.map { it.title } shouldContainExactly listOf("sh (A=1)", "sh-b (A=2)")
    }

    @Test
    fun `the same twice is a comparison with itself`() {
        val own = plan(TryOrder(listOf("sh x", "sh x", "sh x"))).stacks
        own.map { it.name } shouldContainExactly listOf("sh", "sh-b", "sh-c")
        own.map { it.title } shouldContainExactly listOf("sh", "sh-b (sh again)", "sh-c (sh again)")
        val shipped = plan(TryOrder(listOf("ktor-netty", "ktor-netty")))
        shipped.stacks.map { it.knownAs } shouldContainExactly listOf(null, "ktor-netty")
        shipped.experiment.situations.single().request.path shouldBe "/hello"
        shipped.trials.map { it.stack }.toSet() shouldBe setOf("ktor-netty", "ktor-netty-b")
    }

    @Test
    fun `names that were given are taken`() {
        val stacks = plan(TryOrder(listOf("sh x", "sh y"), names = listOf("Before the fix", null))).stacks
        stacks.map { it.name } shouldContainExactly listOf("before-the-fix", "sh")
        stacks.first().title shouldBe "Before the fix"
        readTry(TryOrder(ONE, path = "/x", users = "5"), CATALOGUE).assumed.shouldBeEmpty()
    }

    private fun plan(order: TryOrder) = readTry(order, CATALOGUE).plan

    private fun load(order: TryOrder) = plan(order).experiment.situations.single().load

    private fun connections(order: TryOrder) = plan(order).experiment.situations.single().connections

    private fun mistakes(order: TryOrder) =
        shouldThrow<ExperimentMistakes> { readTry(order, CATALOGUE) }.message.orEmpty()

    private companion object {
        val ONE = listOf("sh x")
        val SHIPPED = Stack("ktor-netty", "Ktor", ConcurrencyModel.COROUTINES, "as shipped", listOf("{java}"), "/")
        val CATALOGUE = StackCatalogue(listOf(SHIPPED))
    }
}
