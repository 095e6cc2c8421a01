package threadgauge.judge.verdict

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.judge.claim.recordOf
import threadgauge.judge.judge
import threadgauge.judge.recordOf
import threadgauge.model.Load
import threadgauge.model.Record
import threadgauge.model.request.Request
import threadgauge.wording.verdict.words

class LoadRangesTest {
    private val alike = listOf(10_000.0, 10_010.0, 10_005.0)
    private val fast = alike.map { it * 2 }

    @Test
    fun `a verdict that turns is told with the loads between which it does`() {
        val first = mapOf("a" to fast, "b" to alike)
        val record = under(50 to first, 200 to first, 5_000 to mapOf("a" to alike, "b" to fast))
        val range = judge(record).ranges.single()
        range.words shouldBe
            "For GET /hello, from 50 users to 200 users a has the highest throughput; " +
            "at 5,000 users b has the highest throughput. " +
            "The verdict changes between 200 users and 5,000 users."
        range.steps.map { it.leaders } shouldBe listOf(listOf("a"), listOf("a"), listOf("b"))
    }

    @Test
    fun `a verdict that holds everywhere is told with the range, whatever the order in the file`() {
        val record = under(800 to mapOf("a" to alike, "b" to alike), 1 to mapOf("a" to alike, "b" to alike))
        judge(record).ranges.single().words shouldBe
            "For GET /hello, the verdict is the same from 1 user to 800 users: there is no difference."
    }

    @Test
    fun `where it cannot be told nothing is said to turn`() {
        val first = mapOf("a" to fast, "b" to alike)
        val uneven = mapOf("a" to listOf(10_000.0, 20_000.0, 15_000.0), "b" to listOf(20_000.0, 10_000.0, 15_000.0))
        judge(under(50 to first, 200 to uneven)).ranges.single().words shouldBe
            "For GET /hello, at 50 users a has the highest throughput; at 200 users the run cannot tell."
        judge(under(50 to first, 200 to uneven, 800 to mapOf("a" to alike, "b" to fast), 900 to first)).ranges.single()
            .words shouldBe
            "For GET /hello, at 50 users a has the highest throughput; at 200 users the run cannot tell; " +
            "at 800 users b has the highest throughput; " +
            "at 900 users a has the highest throughput. The verdict changes between 800 users and 900 users."
    }

    @Test
    fun `one load has no range, and other requests or kinds of load are not put together`() {
        val one = under(50 to mapOf("a" to fast, "b" to alike))
        judge(one).ranges.shouldBeEmpty()
        val two = under(50 to mapOf("a" to fast, "b" to alike), 60 to mapOf("a" to fast, "b" to alike))
        val plan = two.plan
        fun with(edit: (threadgauge.model.Situation) -> threadgauge.model.Situation): Record {
            val situations = plan.experiment.situations.let { it.dropLast(1) + edit(it.last()) }
            return two.copy(plan = plan.copy(experiment = plan.experiment.copy(situations = situations)))
        }
        judge(with { it.copy(request = Request(path = "/delay/1")) }).ranges.shouldBeEmpty()
        judge(with { it.copy(load = Load.Rate(60.0, 1_000_000_000)) }).ranges.shouldBeEmpty()
    }

    /** One situation for each number of users, with the answers per second of each stack. */
    private fun under(vararg loads: Pair<Int, Map<String, List<Double>>>): Record {
        val records = loads.map { (users, rates) -> users to recordOf(rates, users = users) }
        val first = records.first().second
        val situations =
            records.map { (users, record) -> record.plan.experiment.situations.single().copy(name = "u$users") }
        val trials = first.trials.map { trial ->
            trial.copy(samples = records.map { (users, record) ->
                record.trials.first { it.stack == trial.stack && it.number == trial.number }.samples.single()
                    .copy(situation = "u$users")
            })
        }
        return first.copy(
            trials = trials, plan = first.plan.copy(experiment = first.plan.experiment.copy(situations = situations)),
        )
    }
}
