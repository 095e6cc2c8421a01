package threadgauge.judge.regression

import threadgauge.model.Record
import threadgauge.model.doubt.Doubt
import threadgauge.model.doubt.DoubtFacts
import threadgauge.model.doubt.MachineName
import threadgauge.model.doubt.RegressionDoubt
import threadgauge.model.judgement.Validity
import threadgauge.stats.MIN_TRIALS

/** Doubts about a comparison of two records as a whole. */
internal fun comparisonDoubts(sides: RecordSides): List<Doubt> {
    val isInterleaved = sides.base.hasRuns && sides.new.hasRuns
    return listOfNotNull(
        differing(sides, Validity.INVALID, { MachineName(it.environment.cpu, it.environment.cores) }) { base, new ->
            RegressionDoubt.OtherMachine(base, new)
        },
        differing(sides, Validity.SUSPECT, ::javaOf) { base, new -> RegressionDoubt.OtherJava(base, new) },
        differing(
            sides, Validity.SUSPECT, { it.environment.kernel },
        ) { base, new -> RegressionDoubt.OtherKernel(base, new) },
        differing(sides, Validity.SUSPECT, { it.environment.awakeCores == true }) { base, new ->
            RegressionDoubt.OtherCores(base, new)
        },
        differing(sides, Validity.SUSPECT, { it.environment.threadgauge }) { base, new ->
            RegressionDoubt.OtherVersion(base, new)
        },
        if (isInterleaved) null else Doubt(RegressionDoubt.NotInterleaved(MIN_TRIALS), Validity.SUSPECT),
    )
}

/** The Java version of the targets; where none reports it, that of the coordinator. */
private fun javaOf(record: Record): String =
    record.trials.firstNotNullOfOrNull { trial -> trial.runtime?.java } ?: record.environment.java

/** Null where all records of both sides have the same [fact]. */
private fun <T> differing(
    sides: RecordSides,
    validity: Validity,
    fact: (Record) -> T,
    doubt: (base: List<T>, new: List<T>) -> DoubtFacts,
): Doubt? {
    val base = sides.base.records.map(fact).distinct()
    val new = sides.new.records.map(fact).distinct()
    return if (base == new && base.size == 1) null else Doubt(doubt(base, new), validity)
}
