package threadgauge.judge.regression

import threadgauge.model.Record
import threadgauge.model.judgement.Doubt
import threadgauge.model.judgement.Validity
import threadgauge.stats.MIN_TRIALS

/** What makes a comparison of two records, as a whole, less sure or void. */
internal fun comparisonDoubts(sides: RecordSides): List<Doubt> = listOfNotNull(
    different(sides, "other-machine", Validity.INVALID, MACHINE_SOURCE, "Measure both sides on the same machine.") {
        "${it.environment.cpu}, ${it.environment.cores} cores"
    },
    different(sides, "other-java", Validity.SUSPECT, JAVA_SOURCE, ONE_CHANGE) {
        it.trials.firstNotNullOfOrNull { trial -> trial.runtime?.java } ?: it.environment.java
    },
    different(sides, "other-kernel", Validity.SUSPECT, KERNEL_SOURCE, ONE_CHANGE) { it.environment.kernel },
    different(sides, "other-version", Validity.SUSPECT, VERSION_SOURCE, SAME_VERSION) {
        it.environment.threadgauge
    },
    Doubt(
        "not-interleaved",
        "both sides were measured one after the other, in one run each, so a drift of the machine between them looks like a difference",
        "Give $MIN_TRIALS or more runs of each, taken in planned, or measure both in one run: `try BASE --against NEW`.",
        Validity.SUSPECT,
        "A machine's speed drifts over minutes. Trials within a run do not see it; trials of both in one run share it.",
    ).takeIf { !sides.base.hasRuns || !sides.new.hasRuns },
)

private fun different(
    sides: RecordSides,
    name: String,
    validity: Validity,
    source: String,
    remedy: String,
    fact: (Record) -> String,
): Doubt? {
    val before = sides.base.records.map(fact).distinct()
    val now = sides.new.records.map(fact).distinct()
    if (before == now && before.size == 1) return null
    return Doubt(name, "${before.joinToString(" and ")} before, ${now.joinToString(" and ")} now", remedy, validity, source)
}

private const val MACHINE_SOURCE = "Ratios between machines say nothing about the programs that ran on them."
private const val ONE_CHANGE = "Change one thing at a time."
private const val JAVA_SOURCE = "The Java that runs a server can change its speed more than the server does."
private const val KERNEL_SOURCE = "System calls are most of what a short request costs."
private const val VERSION_SOURCE = "Another version may measure in another way."
private const val SAME_VERSION = "Measure both sides with the same version."
