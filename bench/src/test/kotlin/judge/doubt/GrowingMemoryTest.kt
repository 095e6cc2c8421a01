package threadgauge.judge.doubt

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.judge.judge
import threadgauge.judge.recordOf
import threadgauge.model.ProcessSecond
import threadgauge.model.doubt.TargetDoubt
import threadgauge.model.judgement.Validity

class GrowingMemoryTest {
    @Test
    fun `a process that grows to its end is told, with both figures`() {
        val doubt = found((1..9).map { 100 + 20 * it }).single()
        doubt.validity shouldBe Validity.SUSPECT
        doubt.facts shouldBe TargetDoubt.GrowingMemory(140_000_000, 260_000_000, 0.5)
    }

    @Test
    fun `a heap that finds its size is no leak, nor is what matters to nobody`() {
        found(listOf(100, 110, 280, 290, 300, 300, 300, 300, 300)).shouldBeEmpty()
        found((1..9).map { 100 + 5 * it }).shouldBeEmpty()
        found((1..9).map { 10 + 3 * it }).shouldBeEmpty()
        found(listOf(100, 900)).shouldBeEmpty() // Too few readings.
    }

    private fun found(megabytes: List<Int>) = judge(
        recordOf(mapOf("a" to listOf(1_000.0, 1_010.0, 1_020.0))) { sample ->
            val seconds = megabytes.mapIndexed { at, size -> ProcessSecond(at + 1.0, 0.5, 0.1, size * 1_000_000L, 20) }
            sample.copy(process = seconds)
        },
    ).situations.single().cells.single().doubts.filter { it.facts is TargetDoubt.GrowingMemory }
}
