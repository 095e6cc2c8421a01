package threadgauge.wording.knee

import org.junit.jupiter.api.Test
import threadgauge.judge.knee.closedProbes
import threadgauge.judge.knee.judgeKnee
import threadgauge.judge.knee.kneeQuestion
import threadgauge.judge.knee.kneeRecordOf
import threadgauge.judge.knee.openProbe
import threadgauge.model.LatencyGoal
import threadgauge.model.LatencyMeasure
import threadgauge.model.LoadSecond
import threadgauge.model.Outcome
import threadgauge.model.Record
import threadgauge.model.Sample
import threadgauge.model.Slo
import threadgauge.model.plan.Probe
import threadgauge.report.knee.kneeProbeLine
import threadgauge.report.shouldBeApproved

class KneeWordsTest {
    private val around2000 =
        listOf(700.0, 1_050.0, 1_575.0, 2_360.0, 1_950.0, 2_080.0, 1_990.0, 2_020.0, 1_985.0, 2_015.0)
    private val sized = kneeQuestion.copy(wantPerSecond = 10_000.0)

    private val records: Map<String, Record> = mapOf(
        "found" to kneeRecordOf(listOf(2_000.0), around2000, sized),
        "found in three processes" to kneeRecordOf(listOf(1_960.0, 2_000.0, 2_040.0), around2000, sized),
        "found in two processes" to kneeRecordOf(listOf(1_960.0, 2_000.0), around2000),
        "kept at the highest rate" to
            kneeRecordOf(listOf(9_000.0), listOf(700.0, 2_000.0, 2_000.0), sized.copy(toPerSecond = 2_000.0)),
        "the agent is the limit" to
            kneeRecordOf(listOf(9_000.0), listOf(1_000.0, 1_400.0, 1_400.0), sized, ceiling = 2_000.0),
        "never kept" to kneeRecordOf(listOf(1.0), listOf(700.0, 233.0, 78.0, 26.0, 10.0, 10.0)),
        "too few probes" to kneeRecordOf(listOf(2_000.0), listOf(700.0, 1_050.0)),
        "no process" to kneeRecordOf(listOf(2_000.0), around2000).copy(trials = emptyList()),
        "three closed loads" to kneeRecordOf(listOf(2_000.0), around2000, closed = closedProbes().take(3)),
        "five closed loads" to kneeRecordOf(listOf(2_000.0), around2000, closed = closedProbes().take(5)),
        "throughput that does not fall" to
            kneeRecordOf(listOf(2_000.0), around2000, closed = level { 1_000.0 * it / (it + 3) }),
        "throughput of no shape" to
            kneeRecordOf(listOf(2_000.0), around2000, closed = level { if (it % 3 == 1) 500.0 else 2_000.0 }),
        "every reason and note" to kneeRecordOf(listOf(9_000.0), listOf(1_000.0)).probing(peculiar()),
        "mean and p99.9" to kneeRecordOf(
            listOf(2_000.0), around2000,
            kneeQuestion.copy(
                slo = Slo(listOf(goal(LatencyMeasure.MEAN, 900.0), goal(LatencyMeasure.P999, 2_500_000.0)), 0.0),
            ),
        ),
    )

    @Test
    fun `every answer of a search, and what is said of its probes, reads as approved`() {
        val text = records.entries.joinToString("\n") { (title, record) -> section(title, record) }
        shouldBeApproved(text, "knee-words.approved.txt")
    }

    private fun section(title: String, record: Record): String {
        val judged = judgeKnee(record)
        val probes = judged.probes.flatMap { probe ->
            probe.reasons.map { "why: ${it.words()}" } + probe.notes.map { "note: ${it.words()}" } +
                listOf(kneeProbeLine(probe)).filter { title == "every reason and note" }
        }
        val lines = listOf("# $title", judged.outcome.words, judged.words()) +
            listOfNotNull(judged.sizing?.words(), judged.methodWords(), judged.scalability?.words()) +
            probes.distinct()
        return lines.joinToString("\n", postfix = "\n")
    }

    private fun goal(measure: LatencyMeasure, maxMicros: Double) = LatencyGoal(measure, maxMicros)

    private fun level(perSecond: (Int) -> Double) = closedProbes().mapIndexed { index, probe ->
        val rate = perSecond(1 shl index)
        probe.copy(sample = probe.sample.copy(answeredInWindow = (rate * 5).toLong()))
    }

    private fun Record.probing(probes: List<Probe>) = copy(trials = trials.map { it.copy(probes = it.probes + probes) })

    private fun peculiar(): List<Probe> {
        val calm = openProbe("probe-50", 1_000.0, 20_000.0)
        val slow = openProbe("probe-51", 1_000.0, 120_000.0)
        fun Probe.named(number: Int, recovery: Double? = 30.0, edit: Sample.() -> Sample = { this }) =
            copy(sample = sample.edit().copy(situation = "probe-$number"), recoveryMillis = recovery)
        val growing = List(5) { LoadSecond(it, 1_001, 1_000, 0, 5, p50Micros = 5_000.0 + 9_000.0 * it) }
        val failures = mapOf(Outcome.SERVER_ERROR to 10L)
        return listOf(
            slow.named(60),
            calm.named(61) { copy(counts = counts.copy(answered = 4_990, failures = failures)) },
            calm.named(62) { copy(seconds = seconds.map { it.copy(sent = 980) }) },
            calm.named(63) { copy(seconds = growing) },
            slow.named(64) { copy(serviceTime = latency.copy(p99Micros = 5_000.0)) },
            slow.named(65) { copy(agent = agent.copy(cpuMillis = 4_900.0, eventLoops = 1)) },
            slow.named(66) { copy(answeredInWindow = 200_000) },
            calm.named(67) { copy(answeredInWindow = 150_000) },
            calm.named(68) { copy(cost = cost.copy(steal = 0.05)) },
            calm.named(69) { copy(latency = latency.copy(count = 200)) },
            calm.named(70, recovery = null),
        )
    }
}
