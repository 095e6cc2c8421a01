package threadgauge.plan.command

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import kotlin.io.path.writeText
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.model.ConcurrencyModel
import threadgauge.model.Load
import threadgauge.model.Stack
import threadgauge.model.advice.Operation
import threadgauge.model.advice.Prediction
import threadgauge.model.advice.Range
import threadgauge.model.judgement.advice.Advice
import threadgauge.model.judgement.advice.AdvisedChange
import threadgauge.model.judgement.advice.ChangeOutcome
import threadgauge.model.plan.Plan
import threadgauge.model.users

class AdviseReaderTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `without a load each request is asked under three, and the first of them warms up`() {
        val read = read(TryOrder(listOf(SHOP), path = "/a", morePaths = listOf("/b")))
        val plan = read.plan
        plan.experiment.situations.map { it.request.path to it.load.users } shouldContainExactly
            listOf("/a" to 50, "/a" to 200, "/a" to 800, "/b" to 50, "/b" to 200, "/b" to 800)
        plan.experiment.situations.all { (it.load as Load.Users).forNanos == 4_000_000_000 } shouldBe true
        plan.experiment.warmUp.situations shouldContainExactly listOf("a-50-users", "b-50-users")
        plan.trials.single().situations shouldContainExactly plan.experiment.situations.map { it.name }
        plan.experiment.name shouldBe "advise-sh"
        plan.experiment.question shouldBe "What would make sh answer GET /a and 1 more faster?"
        read.assumed.first() shouldContain "it is 50, 200 and then 800 users, for 4 s each"
        plan.advice.shouldNotBeNull().proofs.isEmpty() shouldBe true
    }

    @Test
    fun `a load that is asked for is the only one`() {
        val plan = read(TryOrder(listOf(SHOP), rate = "200/s", length = "5s")).plan
        plan.experiment.situations.single().load shouldBe Load.Rate(200.0, 5_000_000_000)
        plan.experiment.warmUp.situations shouldBe emptyList()
        read(TryOrder(listOf(SHOP), users = "7")).plan.experiment.situations.single().load.users shouldBe 7
    }

    @Test
    fun `changes of one's own are known beside those that are shipped`() {
        val file = folder.resolve("ours.yaml").also {
            it.writeText(
                "changes:\n  - {id: ours, title: Ours, resource: connections, effect: times 2, " +
                    "set: {environment: SHOP_POOL}, source: https://wiki.example.org}\n",
            )
        }
        val order = AdviseOrder(TryOrder(listOf(SHOP)), file)
        readAdvise(order, CATALOGUE).plan.advice.shouldNotBeNull().changes.map { it.id } shouldContain "ours"
    }

    @Test
    fun `all mistakes are reported at once`() {
        val file = folder.resolve("ours.yaml").also { it.writeText("changes: [{id: a}]\n") }
        val words = shouldThrow<ExperimentMistakes> {
            val what = TryOrder(
                listOf(SHOP, SHOP), burst = "5", trials = 3, within = "3%", length = null, port = 99_999,
            )
            readAdvise(AdviseOrder(what, file), CATALOGUE)
        }.message.shouldNotBeNull()
        for (part in listOf(
            "--against: advice is for one target", "--ramp, --steps, --burst: a load that changes",
            "--trials, --within: one process is enough for advice", "ours.yaml:1:", "--port: there is no port 99999",
        )) {
            words shouldContain part
        }
    }

    @Test
    fun `a proof is a run of the service beside itself with each setting, with what was predicted`() {
        val first = read(TryOrder(listOf("java -jar $JAR"), path = "/a")).plan
        val order = AdviseOrder(TryOrder(listOf("x")), prove = true)
        val proof = planProof(first, listOf(adviceFor(first, "hikari-pool", "tomcat-threads", "narrow-lock")), order)
            .shouldNotBeNull()
        val plan = proof.plan
        val base = first.plan()
        plan.stacks.map { it.name } shouldContainExactly listOf(base, "$base-hikari-pool", "$base-tomcat-threads")
        plan.stacks[1].command shouldContain "-Dspring.datasource.hikari.maximum-pool-size=20"
        plan.experiment.baselines shouldBe mapOf("$base-hikari-pool" to base, "$base-tomcat-threads" to base)
        plan.rounds.shouldNotBeNull()
        plan.experiment.trials shouldBe 3
        plan.experiment.situations.single().let {
            it.name shouldBe "a-200-users"
            (it.load as Load.Users).forNanos shouldBe 6_000_000_000
        }
        val proofs = plan.advice.shouldNotBeNull().proofs
        proofs.map { it.change } shouldContainExactly listOf("hikari-pool", "tomcat-threads")
        proofs.first().prediction.perSecond.value shouldBe 980.0
        proof.leftOut shouldBe emptyList()
    }

    @Test
    fun `changes of code, what runs already, and what is shipped cannot be proven`() {
        val first = read(TryOrder(listOf("java -jar $JAR"))).plan
        unprovable(first).shouldBeNull()
        planProof(first, listOf(adviceFor(first, "narrow-lock")), AdviseOrder(TryOrder(listOf("x")))).shouldBeNull()
        unprovable(read(TryOrder(listOf("http://localhost:8080/"))).plan) shouldBe NoProof.RUNS_ALREADY
        unprovable(read(TryOrder(listOf("mvc"))).plan) shouldBe NoProof.IS_SHIPPED
    }

    private fun read(what: TryOrder) = readAdvise(AdviseOrder(what), CATALOGUE)

    private fun Plan.plan() = stacks.single().name

    private fun adviceFor(plan: Plan, vararg ids: String): Advice {
        val known = plan.advice.shouldNotBeNull().changes
        val now = Operation(490.0, 100_000.0)
        val outcome = ChangeOutcome.Gain(Prediction(now, Range(900.0, 980.0, 990.0)), null)
        val changes = ids.map { id ->
            val change = known.single { it.id == id }
            AdvisedChange(change, 10.0, 20.0, change.setting?.text("20"), null, outcome)
        }
        val situation = plan.experiment.situations.let { it.getOrNull(1) ?: it.first() }
        return Advice(plan.stacks.single().name, situation.name, now, emptyList(), changes)
    }

    private companion object {
        const val SHOP = "sh run"
        const val JAR = "shop.jar"
        val CATALOGUE = StackCatalogue(
            listOf(Stack("mvc", "MVC", ConcurrencyModel.PLATFORM_THREADS, "as shipped", listOf("x"), ".")),
        )
    }
}
