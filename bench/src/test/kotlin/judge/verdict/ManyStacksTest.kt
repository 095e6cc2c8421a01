package threadgauge.judge.verdict

import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import threadgauge.judge.claim.recordOf
import threadgauge.judge.claim.verdict
import threadgauge.judge.judge
import threadgauge.judge.recordOf
import threadgauge.model.Counts
import threadgauge.model.Record
import threadgauge.wording.verdict.answer
import threadgauge.wording.verdict.verdictWords

/** What is said of more stacks than a sentence can name. */
class ManyStacksTest {
    /** Stack n serves n thousand a second, in three trials. */
    private fun stacks(count: Int, trials: Int = 3): Record = recordOf(
        (1..count).associate { "s$it" to List(trials) { trial -> it * 1_000.0 + trial } },
    )

    @Test
    fun `a leader of few is compared with each of them, and one of many with the next and the last`() {
        val few = judge(stacks(7))
        few.answer.single() shouldBe
            "For requests that are examples, s7 has 1.2 to 7.0 times the throughput of s6, s5, s4, s3, s2 and s1."
        val many = judge(stacks(16))
        many.answer.single() shouldBe
            "For requests that are examples, s16 has 1.07 to 16.0 times the throughput of s15, s14, s13 and 12 more."
        val words = many.situations.single().verdictWords()
        words shouldContain "s16 has the highest throughput: 1.07 times"
        words shouldContain "that of s15, 16.0 times"
        words shouldContain "that of s1, with 13 others between."
        words shouldNotContain "s9"
    }

    @Test
    fun `a first look at many tells the three that served most, and where it ends`() {
        judge(stacks(16, trials = 1)).answer.single() shouldBe
            "For requests that are examples, too few trials to name a winner: s16 16,000/s, s15 15,000/s, " +
            "s14 14,000/s and 13 more down to 1,000/s."
        judge(stacks(6, trials = 1)).answer.single() shouldContain "s2 2,000/s, s1 1,000/s."
    }

    @Test
    fun `of many that failed, the three worst are told`() {
        val record = stacks(16)
        val failing = record.copy(
            trials = record.trials.map { trial ->
                val number = trial.stack.drop(1).toLong()
                trial.copy(samples = trial.samples.map { it.copy(counts = failed(number)) })
            },
        )
        val told = judge(failing).answer.single()
        told shouldContain "s16 failed 32 % of its requests, s15 30 %, s14 28 % and 11 more down to 6.0 %"
    }

    /** 2 % of the requests failed for each [number]. */
    private fun failed(number: Long) = Counts(5_000, 5_000, 5_000 - number * 100, unsent = number * 100, unfinished = 0)
}
