package threadgauge.judge.doubt

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Test
import threadgauge.judge.claim.recordOf
import threadgauge.judge.claim.verdict
import threadgauge.judge.cpuMicrosPerRequest
import threadgauge.judge.judge
import threadgauge.judge.recordOf
import threadgauge.judge.switchesPerRequest
import threadgauge.model.Cost
import threadgauge.model.FirstAnswer
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.model.doubt.DoubtId
import threadgauge.model.judgement.Verdict
import threadgauge.model.plan.Resumption
import threadgauge.wording.doubt.seen
import threadgauge.wording.verdict.answer
import threadgauge.wording.verdict.verdictWords

class OwnServicesTest {
    private val two = recordOf(mapOf("a" to listOf(1000.0, 1010.0, 1020.0), "b" to listOf(1000.0, 1010.0, 1020.0)))

    @Test
    fun `services that were started and do the same raise no doubt`() {
        doubtsOf(two) shouldContainExactly emptyList()
        doubtsOf(answering(two, FIRST, FIRST)) shouldContainExactly emptyList()
    }

    @Test
    fun `a service that ran before has trials of one process`() {
        val stacks = two.plan.stacks.map { if (it.name == "b") it.copy(url = "http://localhost:1") else it }
        val record = two.copy(plan = two.plan.copy(stacks = stacks))
        val doubt = judge(record).doubts.single()
        doubt.id shouldBe DoubtId.SAME_PROCESS
        doubt.seen shouldContain "b ran already"
    }

    @Test
    fun `a process that cannot be seen has no figures of its own instead of zeros`() {
        val record = recordOf(mapOf("a" to listOf(1000.0, 1010.0, 1020.0))) { it.copy(cost = Cost(0.0, steal = 0.0)) }
        judge(record).doubts.single().id shouldBe DoubtId.NOT_SEEN
        val cell = judge(record).situations.single().cells.single()
        cell.throughput.shouldNotBeNull()
        listOf(cell.cpuMicrosPerRequest, cell.rssMegabytes, cell.threads, cell.switchesPerRequest)
            .forEach { it.shouldBeNull() }
    }

    @Test
    fun `answers that differ are unequal work`() {
        fun seen(other: FirstAnswer) =
            judge(answering(two, FIRST, other)).doubts.singleOrNull { it.id == DoubtId.DIFFERENT_ANSWERS }?.seen
        seen(FIRST.copy(status = 201)) shouldBe "a and b answered the same request differently: status 200 and 201"
        seen(FIRST.copy(contentType = "text/html"))!! shouldContain "content type application/json and text/html"
        seen(FIRST.copy(contentType = "application/json")).shouldBeNull()
        seen(FIRST.copy(sha256 = "02"))!! shouldContain "bodies of 1,000 and 1,000 bytes with different content"
    }

    @Test
    fun `bodies that change by themselves are compared by their length`() {
        val changing = FIRST.copy(stable = false, sha256 = "03")
        doubtsOf(answering(two, FIRST, changing)) shouldContainExactly emptyList()
        doubtsOf(answering(two, FIRST, changing.copy(bytes = 1_100))) shouldContainExactly emptyList()
        doubtsOf(answering(two, FIRST, changing.copy(bytes = 1_200))) shouldContainExactly listOf("different-answers")
    }

    @Test
    fun `a service that answers differently from some trial on is told, also after the run was resumed`() {
        fun seen(record: Record) = judge(record).doubts.singleOrNull { it.id == DoubtId.CHANGED_ANSWERS }?.seen
        val changed = two.copy(trials = two.trials.map { trial ->
            trial.copy(firstAnswer = if (trial.number < 3) FIRST else FIRST.copy(bytes = 1_200, sha256 = "02"))
        })
        val words = "a answered the same request differently in trial 1 and in trial 3: bodies of 1,000 and 1,200 " +
            "bytes with different content"
        seen(changed) shouldBe words
        val resumption = Resumption("2026-01-01T00:00:00Z", RunState.INTERRUPTED, null, 4, emptyList())
        seen(changed.copy(resumed = listOf(resumption))) shouldBe "$words; the run was resumed"
        seen(answering(two, FIRST, FIRST)).shouldBeNull()
    }

    @Test
    fun `one alone is measured and compared with nothing`() {
        val alone = judge(recordOf(mapOf("shop" to listOf(1000.0, 1010.0, 1020.0)))).situations.single()
        alone.verdict.shouldBeInstanceOf<Verdict.Alone>()
        alone.verdictWords() shouldContain "shop serves 1,010/s ("
        val once = judge(recordOf(mapOf("shop" to listOf(1000.0))))
        once.situations.single().verdictWords() shouldBe
            "For requests that are examples, shop serves 1,000/s, p99 50 ms."
        once.answer.single() shouldBe once.situations.single().verdictWords()
    }

    @Test
    fun `a path that looks like one of the contract sets a service of the user's own no ceiling`() {
        val contract = recordOf(mapOf("a" to listOf(500.0, 500.0, 500.0)), path = "/delay/100")
        contract.ceilingsOfFirst().size shouldBe 1
        contract.copy(plan = contract.plan.copy(stacks = contract.plan.stacks.map { it.copy(keepsContract = false) }))
            .ceilingsOfFirst().size shouldBe 0
    }

    private fun Record.ceilingsOfFirst() =
        judge(this).situations.single().cells.single().ceilings.filter { it.bySetting }

    private fun answering(record: Record, vararg answers: FirstAnswer): Record {
        val names = record.plan.stacks.map { it.name }
        return record.copy(trials = record.trials.map { it.copy(firstAnswer = answers[names.indexOf(it.stack)]) })
    }

    private fun doubtsOf(record: Record) = judge(record).doubts.map { it.id.id }

    private companion object {
        val FIRST = FirstAnswer(200, 1_000, "01", "application/json;charset=UTF-8", stable = true)
    }
}
