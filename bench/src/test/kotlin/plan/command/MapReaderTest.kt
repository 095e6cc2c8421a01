package threadgauge.plan.command

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.model.ConcurrencyModel
import threadgauge.model.Load
import threadgauge.model.Service
import threadgauge.model.ServiceKind
import threadgauge.model.Stack
import threadgauge.model.plan.MapSheet
import threadgauge.model.request.madeBy

class MapReaderTest {
    @Test
    fun `without arguments the stacks of the tour wait for up to a quarter of a second`() {
        val plan = readMap(MapOrder(), CATALOGUE)
        plan.stacks.map { it.name } shouldContainExactly
            listOf("spring-mvc", "spring-mvc-virtual", "spring-webflux", "ktor-netty")
        plan.trials shouldHaveSize 4
        val map = plan.map!!
        map.sheet shouldBe MapSheet.WAIT
        map.budgetNanos shouldBe 1_800_000_000_000
        (map.work.first() to map.work.last()) shouldBe (1 to 250)
        (map.users.first() to map.users.last()) shouldBe (10 to 2_000)
        map.users.zipWithNext { a, b -> b.toDouble() / a }.forEach { it.shouldBeBetween(1.1, 1.4, 0.0) }
        // The load agent must hold the connections of the largest load.
        plan.experiment.situations.maxOf { (it.load as Load.Users).users } shouldBe 2_000
        map.nameOf(map.work.indexOf(100), map.users.indexOf(1_000)) shouldBe "wait-100-users-1000"
        map.placesByName().size shouldBe map.work.size * map.users.size
    }

    @Test
    fun `sheet, ranges, stacks and budget are read`() {
        val order = MapOrder(
            listOf("ktor-netty", "spring-mvc"), sheet = "compute", budget = "5m", users = "1..64", work = "10..100",
            seed = "7",
        )
        val plan = readMap(order, CATALOGUE)
        plan.seed shouldBe 7
        plan.map!!.run {
            sheet shouldBe MapSheet.CPU
            budgetNanos shouldBe 300_000_000_000
            users.first() shouldBe 1
            users.last() shouldBe 64
            situation(0, 0, 1_000).request.path shouldBe "/api/random/string/10"
            waitMillis(3) shouldBe 0.0
        }
    }

    @Test
    fun `the sheet of shares mixes requests that block with others`() {
        val map = readMap(MapOrder(listOf("ktor-netty", "spring-mvc"), sheet = "share"), CATALOGUE).map!!
        map.work.run { first() to last() } shouldBe (1 to 100)
        map.users.last() shouldBe 500
        fun mix(column: Int) = map.situation(column, 0, 1_000).scenarios
            .associate { it.steps.single().request.path to it.weight }
        mix(0) shouldBe mapOf("/block/10" to 1.0, "/hello" to 99.0)
        mix(map.work.lastIndex) shouldBe mapOf("/block/10" to 100.0)
        map.waitMillis(map.work.indexOf(10)) shouldBe 1.0
    }

    @Test
    fun `the sheet of fan-outs has the backend, and each stack makes its calls in the way of its model`() {
        val plan = readMap(MapOrder(listOf("spring-mvc", "ktor-netty"), sheet = "fan-out"), CATALOGUE)
        val map = plan.map!!
        (map.work.first() to map.work.last()) shouldBe (1 to 50)
        plan.services.map { it.name } shouldContainExactly listOf("upstream")
        val asked = map.situation(map.work.indexOf(10), 0, 1_000)
        map.waitMillis(0) shouldBe 50.0
        fun path(model: ConcurrencyModel) = asked.request.madeBy(model).path
        path(ConcurrencyModel.PLATFORM_THREADS) shouldBe "/fanout/executor/50?calls=10&n=200"
        path(ConcurrencyModel.VIRTUAL_THREADS) shouldBe "/fanout/virtual/50?calls=10&n=1"
        path(ConcurrencyModel.EVENT_LOOP) shouldBe "/fanout/webclient/50?calls=10&n=1"
        path(ConcurrencyModel.COROUTINES) shouldBe "/fanout/webclient-coroutine/50?calls=10&n=1"
        // Other maps need no backend.
        readMap(MapOrder(), CATALOGUE).services.shouldBeEmpty()
        val many = MapOrder(sheet = "fan-out", users = "10..1000", work = "1..100")
        val said = shouldThrow<ExperimentMistakes> { readMap(many, CATALOGUE) }.message!!
        withClue(said) { ("100000 at a time" in said) shouldBe true }
    }

    @Test
    fun `mistakes are told all together, with a way to mend each`() {
        val wrong = MapOrder(
            listOf("spring-mcv"), sheet = "sleep", budget = "5s", users = "10-20", work = "0..2", seed = "x",
        )
        val said = shouldThrow<ExperimentMistakes> { readMap(wrong, CATALOGUE) }.message!!
        val parts = listOf("spring-mvc", "there is one", "\"sleep\"", "1m", "10..1000", "beyond 1..1000", "no whole")
        for (part in parts) {
            withClue("$part in\n$said") { (part in said) shouldBe true }
        }
        val narrow = shouldThrow<ExperimentMistakes> { readMap(MapOrder(users = "10..15"), CATALOGUE) }
        withClue(narrow.message) { ("too narrow" in narrow.message!!) shouldBe true }
    }

    @Test
    fun `a grid has no sliver at its end`() {
        gridOf(10..21) shouldContainExactly listOf(10, 13, 16, 21)
        gridOf(10..100) shouldContainExactly listOf(10, 13, 16, 20, 25, 32, 40, 50, 63, 79, 100)
        gridOf(1..8) shouldContainExactly listOf(1, 2, 3, 4, 5, 6, 8)
    }

    private companion object {
        val CATALOGUE = StackCatalogue(
            listOf("spring-mvc", "spring-mvc-virtual", "spring-webflux", "ktor-netty").map {
                Stack(it, it, ConcurrencyModel.EVENT_LOOP, "as shipped", listOf("x"), ".")
            },
            listOf(Service("upstream", ServiceKind.UPSTREAM, listOf("x"), ".", null, paths = listOf("/fanout"))),
        )
    }
}
