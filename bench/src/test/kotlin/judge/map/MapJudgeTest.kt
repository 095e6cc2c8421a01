package threadgauge.judge.map

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeLessThanOrEqual
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.map.BorderSearch
import threadgauge.map.DEAR
import threadgauge.map.Found
import threadgauge.map.LOOP
import threadgauge.map.MapGrid
import threadgauge.map.POOL
import threadgauge.map.WAITS
import threadgauge.map.exploredMap
import threadgauge.model.judgement.map.Fit
import threadgauge.model.judgement.map.MapBorder
import threadgauge.model.plan.MapQuestion
import threadgauge.model.plan.MapSheet
import threadgauge.wording.map.doubtWords

class MapJudgeTest {
    private val record = exploredMap(mapOf("pool" to POOL, "loop" to LOOP, "dear" to DEAR), noise = 0.03, seed = 1)

    @Test
    fun `every border of a whole search is well known`() {
        val judged = judgeMap(record)
        judged.isComplete shouldBe true
        judged.borders.shouldNotBeEmpty()
        judged.borders.forEach { withClue(it) { it.factor shouldBeLessThanOrEqual MapBorder.WELL_KNOWN } }
    }

    @Test
    fun `a column that was only begun has no border`() {
        val all = judgeMap(record).borders
        val begun = all.first().work
        val ends = with(record.plan.map.shouldNotBeNull()) {
            listOf(users.first(), users.last()).map { nameOf(work.indexOf(begun), users.indexOf(it)) }
        }
        val cut = record.copy(
            trials = record.trials.map { trial ->
                trial.copy(slices = trial.slices.filter { it.situation !in ends || it.round == 1 })
            },
        )
        val left = judgeMap(cut).borders
        left.none { it.work == begun } shouldBe true
        left.map { it.stack to it.work } shouldBe all.filter { it.work != begun }.map { it.stack to it.work }
    }

    @Test
    fun `the law says where to look - after the first look, a search with it needs a fifth of the places less`() {
        val truth = listOf("pool" to POOL, "loop" to LOOP, "dear" to DEAR)
        val exact = exploredMap(truth.toMap(), noise = 0.0, seed = 1)
        val question = exact.plan.map.shouldNotBeNull()
        val guided = judgeMap(exact).places.size
        val blind = BorderSearch(MapGrid(question))
        val found = ArrayList<Found>()
        while (true) {
            val next = blind.next(found).ifEmpty { blind.between(found) }
            if (next.isEmpty()) break
            next.mapTo(found) { at ->
                val rates = truth.associate { (name, numbers) ->
                    name to numbers.perSecond(question.users[at.row].toDouble(), question.waitMillis(at.column) / 1e3)
                }
                Found(at, rates.mapValues { if (it.value >= question.enough * rates.values.max()) Fit.YES else Fit.NO })
            }
        }
        val first = MapGrid(question).let { it.firstColumns.size * it.firstRows.size }
        println("$guided places with the law, ${found.size} without, $first of each on the first look")
        (guided - first < 0.8 * (found.size - first)) shouldBe true
    }

    @Test
    fun `a setting decides where handlers are the limit, and what a request costs elsewhere`() {
        val judged = judgeMap(record)
        val longest = judged.borders.filter { it.stack == "pool" }.maxBy { it.work }
        longest.fitsBelow shouldBe true
        judged.stacks.single { it.name == "pool" }.limit shouldBe 200
        judged.stacks.single { it.name == "loop" }.limit.shouldBeNull()
        val held = judged.places.flatMap { place -> place.stacks.map { place to it } }
            .filter { (_, at) -> at.heldAt != null }
        held.shouldNotBeEmpty()
        held.forEach { (place, at) ->
            at.stack shouldBe "pool"
            withClue("${place.work} ms, ${place.users}") { (place.users >= 200) shouldBe true }
        }
        judged.borders.filter { it.stack == "dear" }.none { it.bySetting } shouldBe true
        longest.bySetting shouldBe true
    }

    @Test
    fun `what a request takes alone is that of all, where the median is of those that do not block`() {
        val question = WAITS.copy(sheet = MapSheet.SHARE, work = listOf(1, 2, 5, 10, 20, 50, 100), columnStride = 2)
        val mixed = exploredMap(mapOf("loop" to LOOP, "dear" to DEAR), noise = 0.0, seed = 1, question)
        val fast = mixed.trials.map { trial ->
            trial.copy(slices = trial.slices.map { it.copy(latency = it.latency.copy(p50Micros = 100.0)) })
        }
        judgeMap(mixed.copy(trials = fast)).stacks.forEach {
            it.law.shouldNotBeNull().aloneMicros shouldBe (500.0 plusOrMinus 5.0)
        }
    }

    @Test
    fun `the law is found again, and predicts what it made`() {
        val judged = judgeMap(record)
        val pool = judged.stacks.single { it.name == "pool" }.law.shouldNotBeNull()
        pool.places.shouldNotBeNull() shouldBe (200.0 plusOrMinus 10.0)
        judged.stacks.forEach { stack ->
            val law = stack.law.shouldNotBeNull()
            (law.near >= 0.9 * law.of) shouldBe true
            // 4,000 bytes for each user.
            law.bytesPerWaiting.shouldNotBeNull() shouldBe (4_000.0 plusOrMinus 100.0)
        }
    }

    @Test
    fun `where nothing was measured nothing is judged`() {
        val nothing = record.copy(trials = record.trials.map { it.copy(slices = emptyList()) })
        val judged = judgeMap(nothing)
        judged.places.size shouldBe 0
        judged.isComplete shouldBe false
        judged.stacks.forEach { it.law.shouldBeNull() }
    }

    @Test
    fun `requests that compute have no law of one cost`() {
        val characters = MapQuestion(
            MapSheet.CPU, work = listOf(100, 200, 400), users = listOf(10, 20, 40), columnStride = 1, rowStride = 1,
            budgetNanos = 1,
        )
        val judged = judgeMap(exploredMap(mapOf("one" to LOOP, "two" to DEAR), noise = 0.02, seed = 5, characters))
        judged.places.size shouldBe 9
        judged.stacks.forEach { it.law.shouldBeNull() }
        judged.places.flatMap { it.stacks }.forEach { it.predictedPerSecond.shouldBeNull() }
    }

    @Test
    fun `a machine that was taken away or shared is told of`() {
        judgeMap(record).run { stolenShare.shouldBeNull(); othersShare.shouldBeNull() }
        val busy = record.copy(
            trials = record.trials.map { trial ->
                trial.copy(slices = trial.slices.map { it.copy(steal = 0.06, otherBusyShare = 0.2) })
            },
        )
        judgeMap(busy).run {
            stolenShare.shouldNotBeNull() shouldBe (0.06 plusOrMinus 1e-9)
            othersShare.shouldNotBeNull() shouldBe (0.2 plusOrMinus 1e-9)
            doubtWords().size shouldBe judgeMap(record).doubtWords().size + 2
        }
    }

    @Test
    fun `equal stacks fit everywhere`() {
        val judged = judgeMap(exploredMap(mapOf("one" to LOOP, "two" to LOOP), noise = 0.02, seed = 3))
        judged.borders.size shouldBe 0
        judged.places.flatMap { place -> place.stacks.map { it.fit } }.toSet() shouldBe setOf(Fit.YES)
        judged.places.all { it.doAllFit } shouldBe true
    }
}
