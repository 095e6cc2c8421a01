package threadgauge.wording.run

import threadgauge.model.RunState
import threadgauge.model.judgement.RunProgress
import threadgauge.model.judgement.TrialProgress
import threadgauge.model.judgement.TrialStep
import threadgauge.wording.counted

/** How far the run has come, in one or two sentences. */
internal fun RunProgress.words(): String {
    val of = if (plansItself) "of at most $planned" else "of $planned"
    val trials = when (state) {
        RunState.COMPLETE -> "${counted(measured.toLong(), "trial")} measured."
        else -> "$measured $of trials measured."
    }
    return if (failed == 0) trials else "$trials ${counted(failed.toLong(), "trial")} failed."
}

/** "spring-mvc, trial 2: warming up". */
internal fun TrialProgress.words(): String = "$stack, trial $number: " + when (step) {
    TrialStep.STARTING -> "starting"
    TrialStep.WARMING_UP -> "warming up"
    TrialStep.MEASURING -> "measuring"
}

/** What is being done now, each in a line. Before the first trial that is not one of a trial. */
internal fun RunProgress.now(): List<String> = when {
    state != RunState.RUNNING || underWay.isNotEmpty() -> underWay.map { it.words() }
    measured == 0 && failed == 0 -> listOf("measuring the load agent first, which takes seconds")
    else -> emptyList()
}

/** What a reader of a run that is followed should know beyond its figures; null where there is nothing. */
internal fun RunProgress.notice(isWritten: Boolean): String? = when {
    state != RunState.RUNNING -> null
    !isWritten -> "This run was broken off: no process writes its record any more. What it measured is below."
    else -> null
}
