package threadgauge.wording.regression

import org.junit.jupiter.api.Test
import threadgauge.judge.recordOf
import threadgauge.judge.regression.compareRecords
import threadgauge.model.Load
import threadgauge.model.Record
import threadgauge.model.Sample
import threadgauge.model.judgement.compare.RecordComparison
import threadgauge.report.shouldBeApproved
import threadgauge.wording.words

class ComparisonWordsTest {
    private val usual = listOf(10_000.0, 10_050.0, 9_960.0, 10_020.0, 9_990.0)
    private val restless = listOf(9_700.0, 10_300.0, 10_000.0, 9_850.0, 10_200.0)
    private val wild = listOf(8_000.0, 12_000.0, 10_000.0, 9_000.0, 11_500.0)

    private val comparisons: Map<String, RecordComparison> = mapOf(
        "worse" to compared(run(usual), run(usual.map { it / 1.1 })),
        "worse in many figures" to compared(many(1.0), many(0.8)),
        "passed" to compared(run(usual), run(usual.reversed())),
        "better" to compared(run(usual), run(usual.map { it * 1.2 })),
        "a little too noisy" to compared(run(usual), run(restless)),
        "too noisy" to compared(run(usual), run(wild)),
        "noisy in many figures" to compared(many(1.0), many(1.0, wild)),
        "two trials" to compared(run(listOf(1.0, 2.0)), run(listOf(1.0, 2.0))),
        "another machine" to
            compared(run(usual), run(usual).let { it.copy(environment = it.environment.copy(cpu = "another")) }),
        "another load" to compared(run(usual), run(usual).asked(Load.Users(70, 5_000_000_000))),
        "an invalid cell" to
            compared(run(usual), run(usual) { it.copy(counts = it.counts.copy(unfinished = it.counts.scheduled / 2)) }),
        "a stack less and a stack more" to compared(many(1.0, stacks = "abc"), many(1.0, stacks = "bcd")),
        "a cell that was not measured" to compared(
            many(1.0), many(1.0).let { record -> record.copy(trials = record.trials.filter { it.stack != "b" }) },
        ),
        "several runs" to compareRecords(List(3) { run(usual) }, List(3) { run(usual) }, margin = 0.05),
        "other names of situations" to compared(run(usual), run(usual).renamed()),
    )

    @Test
    fun `every outcome of a comparison, with what was left out, reads as approved`() {
        val text = comparisons.entries.joinToString("\n") { (title, comparison) -> section(title, comparison) }
        shouldBeApproved(text, "comparisons.approved.txt")
    }

    private fun section(title: String, comparison: RecordComparison): String {
        val lines = listOf("# $title", comparison.gate.name, comparison.words(), comparison.basisWords()) +
            comparison.notCompared.map { "not compared: ${it.words()}" } +
            comparison.changes.filter { it.gated }
                .map { "${it.situation} ${it.stack} ${it.of.words}: ${it.outcome.words}" }
        return lines.joinToString("\n", postfix = "\n")
    }

    private fun compared(base: Record, new: Record) = compareRecords(listOf(base), listOf(new))

    private fun run(perSecond: List<Double>, edit: (Sample) -> Sample = { it }) =
        recordOf(mapOf("a" to perSecond), edit = edit)

    private fun many(factor: Double, rates: List<Double> = usual, stacks: String = "abcdef") =
        recordOf(stacks.associate { "$it" to rates.map { rate -> rate * factor } })

    private fun Record.asked(load: Load): Record {
        val experiment = plan.experiment.copy(situations = plan.experiment.situations.map { it.copy(load = load) })
        return copy(plan = plan.copy(experiment = experiment))
    }

    private fun Record.renamed(): Record {
        val experiment = plan.experiment.copy(situations = plan.experiment.situations.map { it.copy(name = "other") })
        return copy(plan = plan.copy(experiment = experiment))
    }
}
