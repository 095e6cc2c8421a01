package threadgauge.experiment.load

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import threadgauge.experiment.KNOWN
import threadgauge.experiment.VALID
import threadgauge.experiment.mistakesBeside
import threadgauge.experiment.mistakesOf
import threadgauge.experiment.read
import threadgauge.experiment.shown
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.experiment.withServers
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.experiment.yaml.name
import threadgauge.model.Auditor
import threadgauge.model.Load
import threadgauge.model.SaleTerms
import threadgauge.model.ServiceKind
import threadgauge.model.Situation
import threadgauge.model.hasOwnKeys
import threadgauge.model.request.Request
import threadgauge.plan.planRun

class SaleReaderTest {
    @Test
    fun `a situation may sell seats`() {
        read(selling()).situations.single().sale shouldBe SaleTerms(500)
        read(selling(sale = "{seats: 500, events: 20}")).situations.single().sale shouldBe SaleTerms(500, events = 20)
        read(selling(sale = "{seats: 500, events: 20, hot: 50%}")).situations.single()
            .sale shouldBe SaleTerms(500, events = 20, hot = 0.5)
        read(VALID).situations.single().sale shouldBe null
    }

    @Test
    fun `a sale that cannot be is told with its place and its remedy`() {
        val cases = listOf(
            "seats" to "12:11 a sale needs keys with values, and this is a single value | Write sale: {seats: 1000}",
            "{}" to "12:11 a sale has no \"seats\" | Add a line such as seats: 1000",
            "{seats: -1}" to "12:19 seats cannot be -1: less than 0 | Write a whole number from 0 to 10000000.",
            "{seats: 10000001}" to
                "12:19 seats cannot be 10000001: more than 10000000 | Write a whole number from 0 to 10000000.",
            "{seats: 5, sets: 5}" to
                "12:22 unknown key \"sets\" in a sale | Did you mean \"seats\"? Known here: seats, events, hot.",
            "{seats: 5, events: 0}" to "12:30 events cannot be 0: less than 1 | Write a whole number from 1 to 1000.",
            "{seats: 5, events: 1001}" to
                "12:30 events cannot be 1001: more than 1000 | Write a whole number from 1 to 1000.",
            "{seats: 5, hot: 50%}" to "12:27 a hot event needs two events or more | Add events: 20, or leave it out.",
            "{seats: 5, events: 1, hot: 50%}" to
                "12:38 a hot event needs two events or more | Add events: 20, or leave it out.",
            "{seats: 5, events: 20, hot: 120%}" to "12:39 hot: \"120%\" is more than 100% | Anything from 5% to 100%.",
            "{seats: 5, events: 3, hot: 33%}" to "12:38 hot: \"33%\" is less than 34% | Anything from 34% to 100%.",
            "{seats: 5, events: 20, hot: 50}" to
                "12:39 hot: \"50\" has no unit | Write 50%, for example; the unit is %.",
            "{seats: 5, event: 20, hot: 50%}" to
                "12:22 unknown key \"event\" in a sale | Did you mean \"events\"? Known here: seats, events, hot.",
        )
        mistakesOf(cases.map { it.first }) { selling(sale = it) } shouldBe shown(cases)
    }

    @Test
    fun `all that is wrong with a sale is told at once`() {
        val wrong = selling(sale = "{seat: 5, events: 0, hot: 120%}", key = "\"{seq}\"")
        mistakesBeside(wrong).map { it.substringBefore(" |") } shouldBe listOf(
            "12:11 \"{seq}\" would be the same key in the next event",
            "12:12 unknown key \"seat\" in a sale", "12:29 events cannot be 0: less than 1",
            "12:37 hot: \"120%\" is more than 100%",
        )
    }

    @Test
    fun `a request must be for the event, and its key for this event alone`() {
        mistakesBeside(selling(path = "/events/1/reservations"))
            .single() shouldContain "the request does not say which event it is for"
        mistakesBeside(selling(key = "\"{random:24}\""))
            .single() shouldContain "would be the same key in the next event"
        mistakesBeside(selling().replace("Idempotency-Key", "X-Key"))
            .single() shouldContain "the request has no Idempotency-Key"
        mistakesBeside(selling(path = "/reservation").replace("Idempotency-Key", "userId")) shouldBe emptyList()
        val newest = selling(path = "/reservation", sale = "{seats: 5, events: 2}").replace("Idempotency-Key", "userId")
        mistakesBeside(newest).single() shouldContain "POST /reservation is for the newest event alone"
    }

    @Test
    fun `sellers sell and do nothing else, and others do not sell`() {
        val usual = KNOWN["spring-mvc"]!!
        val seller = usual.copy(
            name = "seller", keepsContract = false, auditor = Auditor(listOf("{java}"), "/", "tickets/audit"),
        )
        val sale = Situation("sale", "buy", Request(path = "/events/{event}"), Load.Burst(1), sale = SaleTerms(1))
        val other = Situation("other", "do not buy", Request(path = "/hello"), Load.Burst(1))
        fun problem(stack: threadgauge.model.Stack, situation: Situation): String = shouldThrow<ExperimentMistakes> {
            planRun(
                read(VALID).copy(stacks = listOf(stack.name), situations = listOf(situation)), listOf(stack), seed = 1,
            )
        }.mistakes.single().problem
        problem(usual, sale) shouldBe "spring-mvc sells no seats, and sale asks for some"
        problem(seller, other) shouldBe "seller does nothing but sell seats, and other opens no sale"
        problem(usual, other.copy(request = Request(path = "/a/{event}"))) shouldBe
            "the request of other names {event}, and nothing is sold"
        val sold = read(VALID).copy(stacks = listOf("seller"), situations = listOf(sale))
        planRun(sold, listOf(seller), seed = 1).stacks.single().sells shouldBe true
    }

    @Test
    fun `a file of stacks with an audit is one of sellers, and they need books`() {
        val text = """
            stacks:
              - {name: seller, title: A seller, model: coroutines, setting: as shipped, jar: target/t.jar, arguments: ["{port}", "{redis}"]}
            audit: {jar: ../audit/target/audit.jar, arguments: ["{event}"]}
            services:
              - {name: books, kind: ledger, jar: target/b.jar}
              - {name: redis, kind: memory, jar: target/b.jar}
        """.trimIndent()
        val catalogue = withServers("t" to text, work = StackCatalogue::read)
        val seller = catalogue["seller"]!!
        seller.keepsContract shouldBe false
        seller.auditor!!.module shouldBe "servers/audit"
        seller.auditor!!.command.last() shouldBe "{event}"
        val sale = read(selling()).copy(stacks = listOf("seller"))
        val plan = planRun(sale, listOf(seller), seed = 1, services = catalogue.services)
        plan.services.map { it.kind } shouldContainExactly listOf(ServiceKind.BOOKS, ServiceKind.MEMORY)
        val alone = seller.copy(command = seller.command - "{redis}")
        planRun(sale, listOf(alone), seed = 1, services = catalogue.services)
            .services.map { it.kind } shouldContainExactly
            listOf(ServiceKind.BOOKS)
        planRun(read(VALID), KNOWN.stacks, seed = 1, services = catalogue.services).services shouldBe emptyList()
    }

    @Test
    fun `sellers may have replicas, and nobody else`() {
        val stack = "{name: seller, title: A seller, model: coroutines, setting: as shipped, " +
            "jar: target/t.jar, arguments: [\"{port}\"]}"
        fun file(replicas: String, audit: String = "audit: {jar: target/audit.jar, arguments: []}") =
            "stacks: [$stack]\noptions: [{name: many, title: many, replicas: $replicas}]\n$audit\n"
        withServers("t" to file("5"), work = StackCatalogue::read).let { catalogue ->
            catalogue["seller"]!!.replicas shouldBe 1
            catalogue["seller+many"]!!.replicas shouldBe 5
        }
        fun problem(text: String) =
            withServers("t" to text) { root -> shouldThrow<ExperimentMistakes> { StackCatalogue.read(root) } }
                .mistakes.single().problem
        problem(file("5", audit = "")) shouldBe "only stacks that sell can have replicas"
        problem(file("1")) shouldBe "replicas cannot be 1: less than 2"
    }

    @Test
    fun `keys are a request's own where chance or its number makes them so`() {
        fun own(key: String) = Request(path = "/", headers = mapOf("idempotency-key" to key)).hasOwnKeys
        own("{event}-{seq}") shouldBe true
        own("{event}-{random:16}") shouldBe true
        own("{event}-{random:4}") shouldBe false
        own("{event}-{1..9}") shouldBe false
        Request(path = "/reservation").hasOwnKeys shouldBe true
    }

    private fun selling(
        sale: String = "{seats: 500}",
        path: String = "/events/{event}/reservations",
        key: String = "\"{event}-{seq}\"",
    ) = """
        name: tour
        question: Which one fits?
        stacks: [spring-mvc, ktor-netty]
        situations:
          - name: sale
            words: buy
            request:
              send: POST $path
              headers: {Idempotency-Key: $key}
              body: "{}"
            load: {burst: 1}
            sale: $sale
    """.trimIndent()
}
