package threadgauge.judge.map

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import threadgauge.map.DEAR
import threadgauge.map.LOOP
import threadgauge.map.POOL
import threadgauge.map.StackNumbers
import threadgauge.map.exploredMap
import threadgauge.model.judgement.map.Fit
import threadgauge.model.judgement.map.MapJudgement
import threadgauge.model.plan.MapSheet
import threadgauge.wording.map.details
import threadgauge.wording.map.words

class MapAgreementsTest {
    private fun mapOf(pool: StackNumbers = POOL, seed: Long): MapJudgement = judgeMap(
        exploredMap(mapOf("pool" to pool, "loop" to LOOP, "dear" to DEAR), noise = 0.01, seed = seed),
    )

    @Test
    fun `two maps of the same stacks do not contradict each other`() {
        val found = agreement(mapOf(seed = 1), mapOf(seed = 2)).shouldNotBeNull()
        found.told shouldBeGreaterThan 100
        found.contradictions.shouldBeEmpty()
        found.borders shouldBeGreaterThan 5
        found.apart.forEach { it.factor shouldBe (1.0 plusOrMinus 0.26) }
        found.words() shouldContain "they say the same"
    }

    @Test
    fun `a pool of half the size contradicts where it does not reach, and its borders are a factor of two apart`() {
        val narrow = POOL.copy(places = 100.0)
        val found = agreement(mapOf(seed = 1), mapOf(narrow, seed = 2)).shouldNotBeNull()
        val pool = found.contradictions.filter { it.stack == "pool" }
        pool.size shouldBeGreaterThan 3
        pool.all { it.fitsInBase } shouldBe true
        found.contradictions shouldHaveSize pool.size
        val longest = found.apart.filter { it.base.stack == "pool" }.maxBy { it.base.work }
        longest.factor shouldBe (1.7 plusOrMinus 0.4)
        longest.base.fromUsers shouldBeGreaterThan longest.other.toUsers
        found.words() shouldContain " and the others are apart by a factor of "
        found.details(mapOf(seed = 1).question) shouldHaveSize found.contradictions.size + found.apart.size
    }

    @Test
    fun `what one map leaves open contradicts nothing, and another sheet is not compared`() {
        val base = mapOf(seed = 1)
        val open = base.copy(
            places = base.places.map { at -> at.copy(stacks = at.stacks.map { it.copy(fit = Fit.OPEN) }) },
        )
        agreement(base, open).shouldNotBeNull().told shouldBe 0
        agreement(base, base.copy(question = base.question.copy(sheet = MapSheet.BLOCK))).shouldBeNull()
    }
}
