package threadgauge.wording.failure

import threadgauge.model.failure.EnvironmentFact
import threadgauge.model.failure.RecordFault
import threadgauge.model.failure.ResumeFault

/** Whole sentences: what is wrong with the record, and what to do. */
internal fun RecordFault.words(): String = when (this) {
    is RecordFault.None -> "$folder holds no record.json. Give the folder of a run, as `results/tour-…`."
    is RecordFault.NoSchema -> "$file does not say its schema."
    is RecordFault.NewerSchema ->
        "$file has schema $schema; this version reads up to $known. Take a newer Threadgauge."
    is RecordFault.Broken -> "$file is not a record: $detail"
    is RecordFault.NotUtf8 ->
        "$file is not UTF-8" + encoding?.let { ": it looks like ${it.words}. ${it.remedy}" }.orEmpty()
    is RecordFault.InUse ->
        "Another Threadgauge${owner?.let { " (process $it)" }.orEmpty()} is writing the record in $folder. " +
            "Wait for its end, or stop it."
    is RecordFault.NotWritten ->
        "The record could not be written to $folder: $detail. Make room, or choose another folder with --out."
    is RecordFault.UnpackableName -> "$entry cannot be packed: give its folder a name of letters and digits."
    RecordFault.SameName -> "Two of these records have folders of one name, which cannot be packed."
    is RecordFault.NotPacked -> "$file is no packed record: $detail. `threadgauge report --pack` makes one."
    is RecordFault.PackedNothing -> "$file holds no record."
    is RecordFault.PackedOther -> "$file holds $entry, which is not <run>/record.json."
    is RecordFault.PackedTooLarge -> "The records in $file have more than $megabytes MB."
}

/** Whole sentences: why the run cannot be resumed, and what to do instead. */
internal fun ResumeFault.words(): String = when (this) {
    is ResumeFault.Complete -> {
        val also = "\nThat ${failed.joinToString()} failed is a result too. To try again, run it anew."
        "This run came to its end: nothing is left to do.${also.takeIf { failed.isNotEmpty() }.orEmpty()}\n" +
            "Its report: threadgauge report, with the same folder."
    }
    is ResumeFault.Changed ->
        "Not all is as it was when this run began, and one comparison must not mix the two:\n" +
            facts.joinToString("\n") { "  ${it.fact.words()}: ${it.before}, now ${it.now}" } + "\nRun it anew."
    is ResumeFault.Gone -> "What these stacks were started from is no longer there: ${stacks.joinToString()}."
    is ResumeFault.Rebuilt ->
        "What these stacks are built from is not what it was when the run began: ${stacks.joinToString()}.\n" +
            "One comparison must not mix builds. Run it anew, or put the former build back."
}

private fun EnvironmentFact.words() = when (this) {
    EnvironmentFact.THREADGAUGE -> "Threadgauge"
    EnvironmentFact.PROCESSOR -> "processor"
    EnvironmentFact.CORES -> "cores"
    EnvironmentFact.TARGET_CORES -> "cores of the target"
    EnvironmentFact.AGENT_CORES -> "cores of the agent"
    EnvironmentFact.MEMORY -> "memory in GB"
    EnvironmentFact.KERNEL -> "kernel"
    EnvironmentFact.JAVA -> "Java"
    EnvironmentFact.OPEN_FILES -> "most open files"
}
