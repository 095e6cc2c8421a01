package threadgauge.plan

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.property.Arb
import io.kotest.property.PropTestConfig
import io.kotest.property.arbitrary.int
import io.kotest.property.arbitrary.long
import io.kotest.property.checkAll
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Test
import threadgauge.experiment.mistakes
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.experiment.yaml.render
import threadgauge.model.ConcurrencyModel
import threadgauge.model.DatabaseAddress
import threadgauge.model.Experiment
import threadgauge.model.Load
import threadgauge.model.Service
import threadgauge.model.ServiceKind
import threadgauge.model.Situation
import threadgauge.model.Stack
import threadgauge.model.request.Connections
import threadgauge.model.request.Protocol
import threadgauge.model.request.Request
import threadgauge.model.request.Tls

class PlanRunTest {
    @Test
    fun `each stack has each trial once, in blocks, in the situations' order`() = runBlocking<Unit> {
        checkAll(CONFIG, Arb.int(1..6), Arb.int(1..9), Arb.long()) { stacks, trials, seed ->
            val experiment = experiment(stacks, trials)
            val plan = planRun(experiment, described(stacks), seed)
            plan.trials.chunked(stacks).forEachIndexed { block, trials ->
                trials.map { it.stack } shouldContainExactlyInAnyOrder experiment.stacks
                trials.map { it.number }.distinct() shouldContainExactly listOf(block + 1)
            }
            plan.trials.size shouldBe stacks * trials
            plan.trials.map { it.situations }.distinct() shouldContainExactly listOf(listOf("one", "two"))
            plan.stacks.map { it.name } shouldContainExactly experiment.stacks
        }
    }

    @Test
    fun `the same seed gives the same order`() = runBlocking<Unit> {
        checkAll(CONFIG, Arb.long()) { seed ->
            planRun(experiment(4, 5), described(4), seed) shouldBe planRun(experiment(4, 5), described(4), seed)
        }
    }

    @Test
    fun `another seed gives another order, and so does another block`() {
        val orders = (1L..50L).map { seed -> planRun(experiment(4, 1), described(4), seed).trials.map { it.stack } }
        (orders.distinct().size > 10) shouldBe true
        val blocks = planRun(experiment(4, 50), described(4), 1).trials.map { it.stack }.chunked(4)
        (blocks.distinct().size > 10) shouldBe true
    }

    @Test
    fun `each stack is first in a block about equally often`() {
        val firsts = (1L..4_000L).map { planRun(experiment(4, 1), described(4), it).trials.first().stack }
        // Of 4,000 draws with probability 1/4, the standard deviation is 27; five of them are 137.
        for ((_, times) in firsts.groupingBy { it }.eachCount()) (times in 863..1137) shouldBe true
    }

    @Test
    fun `the order of a seed stays the same from version to version`() {
        planRun(experiment(4, 2), described(4), 42).trials.map { it.stack } shouldContainExactly
            listOf("stack-4", "stack-3", "stack-1", "stack-2", "stack-1", "stack-3", "stack-2", "stack-4")
    }

    @Test
    fun `quick means one trial, and the plan's experiment says so`() {
        val plan = planRun(experiment(3, 5), described(3), 1, quick = true, trials = 4)
        plan.trials.size shouldBe 3
        plan.experiment.trials shouldBe 1
        plan.quick shouldBe true
        val asked = plan.experiment
        val first = plan.asFirstLook().experiment
        first.causes shouldBe false
        first.warmUp shouldBe asked.warmUp.copy(budgetNanos = asked.warmUp.budgetNanos / 2)
        plan.asFirstLook().copy(experiment = asked) shouldBe plan
        planRun(experiment(3, 5), described(3), 1, trials = 2).experiment.trials shouldBe 2
    }

    @Test
    fun `only keeps the stacks it names, in the experiment's order`() {
        val plan = planRun(experiment(4, 2), described(4), 1, only = listOf("stack-3", "stack-1"))
        plan.experiment.stacks shouldContainExactly listOf("stack-1", "stack-3")
        plan.stacks.map { it.name } shouldContainExactly listOf("stack-1", "stack-3")
        plan.trials.size shouldBe 4
    }

    @Test
    fun `wrong options are mistakes of the user`() {
        val wrong = shouldThrow<ExperimentMistakes> {
            planRun(experiment(2, 2), described(2), 1, trials = 0, only = listOf("stack-1", "stak-2"))
        }
        wrong.mistakes.map { it.render() } shouldContainExactly listOf(
            "--only: the experiment test has no stack \"stak-2\"\n    Did you mean \"stack-2\"? Known here: " +
                "stack-1, stack-2.\n",
            "--trials: 0 trials are not possible\n    Give a whole number from 1 to 100.\n",
        )
        wrong shouldNotBe null
    }

    @Test
    fun `what no stack here speaks is a mistake of the user`() {
        val asked = experiment(2, 1).let { plain ->
            val connections = listOf(Connections(tls = Tls()), Connections(Protocol.HTTP_2))
            plain.copy(
                situations = plain.situations.zip(connections) { situation, it -> situation.copy(connections = it) },
            )
        }
        shouldThrow<ExperimentMistakes> { planRun(asked, described(2), 1) }.mistakes.single().render() shouldBe
            "test: stack-1, stack-2 cannot be asked over the connections of one, two\n" +
            "    Leave \"protocol\", \"tls\" and \"reuse\" out of \"connections\"; a stack with the option +tls or " +
            "+http2 brings its own.\n"
        val able = described(2).map { it.copy(connections = Connections(Protocol.HTTP_2, Tls("{certificate}"))) }
        planRun(asked, able, 1).stacks.map { it.name } shouldContainExactly listOf("stack-1", "stack-2")
        val closing =
            asked.copy(situations = asked.situations.map { it.copy(connections = Connections(perRequest = true)) })
        shouldThrow<ExperimentMistakes> { planRun(closing, able, 1) }
        planRun(closing, described(2), 1).stacks.size shouldBe 2
    }

    @Test
    fun `a database that runs already is asked at its address`() {
        val own = Service(
            "sql", ServiceKind.DATABASE, listOf("make"), "/", null, listOf("/"), listOf("use", "{address}", "{user}"),
        )
        val asked = experiment(1, 1).copy(database = "sql")
        planRun(asked, described(1), 1, services = listOf(own)).services.single().command shouldBe listOf("make")
        val elsewhere = asked.copy(databaseAddress = DatabaseAddress("jdbc:x", "me"))
        planRun(elsewhere, described(1), 1, services = listOf(own)).services.single()
            .command shouldBe listOf("use", "jdbc:x", "me")
    }

    @Test
    fun `a certificate is made where a stack needs one`() {
        val service = Service("certificate", ServiceKind.CERTIFICATE, listOf("{java}"), "/", null, emptyList())
        fun services(stacks: List<Stack>) = planRun(experiment(2, 1), stacks, 1, services = listOf(service)).services
        services(described(2)) shouldBe emptyList()
        services(
            described(2).map { it.copy(connections = Connections(tls = Tls("{certificate}"))) },
        ) shouldContainExactly listOf(service)
    }

    @Test
    fun `tuned and as shipped are not ranked together, but one stack may be compared with itself tuned`() {
        val stacks =
            described(3).map { if (it.name == "stack-2") it.copy(setting = "tuned", knownAs = "stack-1") else it }
        shouldThrow<ExperimentMistakes> { planRun(experiment(3, 2), stacks, 1) }.mistakes.single().problem shouldBe
            "stack-2 and servers as shipped are not ranked together"
        planRun(experiment(2, 2), stacks, 1)
            .stacks.map { it.setting } shouldContainExactly listOf("as shipped", "tuned")
    }

    @Test
    fun `stacks that differ by options alone are called by these`() {
        fun titles(first: String, second: String): List<String> {
            val stacks = described(2).map { it.copy(title = if (it.name == "stack-1") first else second) }
            return planRun(experiment(2, 1), stacks, 1).titles.values.toList()
        }
        titles("Server, threads, packed as one jar", "Server, threads") shouldContainExactly listOf(
            "Packed as one jar", "Server, threads",
        )
        titles("Server, threads, a cache", "Server, loops") shouldContainExactly listOf(
            "Server, threads, a cache", "Server, loops",
        )
    }

    private fun experiment(stacks: Int, trials: Int): Experiment {
        val situations = listOf("one", "two").map { Situation(it, "are asked", Request("GET", "/$it"), Load.Burst(1)) }
        return Experiment("test", "Which?", (1..stacks).map { "stack-$it" }, situations, trials)
    }

    /** More than the experiment names, in another order. */
    private fun described(stacks: Int) = (stacks + 2 downTo 1).map {
        Stack("stack-$it", "Stack $it", ConcurrencyModel.EVENT_LOOP, "as shipped", listOf("{java}"), "/")
    }

    private companion object {
        val CONFIG = PropTestConfig(seed = 25, iterations = 200)
    }
}
