package threadgauge.wording.failure

import threadgauge.model.failure.EnvironmentFact
import threadgauge.model.failure.RecordFault
import threadgauge.model.failure.ResumeFault

/** What is wrong with the record and what to do, in whole sentences. */
internal fun RecordFault.words(): String = when (this) {
    is RecordFault.None -> "$folder contains no record.json. Give the folder of a run, such as `results/tour-…`."
    is RecordFault.NoSchema -> "$file has no schema number."
    is RecordFault.NewerSchema ->
        "$file has schema $schema; this version reads up to $known. Use a newer Threadgauge."
    is RecordFault.Broken -> "$file is not a record: $detail"
    is RecordFault.NotUtf8 ->
        "$file is not UTF-8" + encoding?.let { ": it looks like ${it.words}. ${it.remedy}" }.orEmpty()
    is RecordFault.InUse ->
        "Another Threadgauge${owner?.let { " (process $it)" }.orEmpty()} is writing the record in $folder. " +
            "Wait until it ends, or stop it."
    is RecordFault.NotWritten ->
        "The record could not be written to $folder: $detail. Free some space, or choose another folder with --out."
    is RecordFault.UnpackableName -> "$entry cannot be packed. Rename its folder to letters and digits."
    RecordFault.SameName -> "Two of these records have folders with the same name, which cannot be packed."
    is RecordFault.NotPacked -> "$file is not a packed record: $detail. `threadgauge report --pack` makes one."
    is RecordFault.PackedNothing -> "$file contains no record."
    is RecordFault.PackedOther -> "$file contains $entry, which is not <run>/record.json."
    is RecordFault.PackedTooLarge -> "The records in $file are larger than $megabytes MB."
}

/** Why the run cannot be resumed and what to do instead, in whole sentences. */
internal fun ResumeFault.words(): String = when (this) {
    is ResumeFault.Complete -> {
        val also = "\nThe failure of ${failed.joinToString()} is a result, too. To try again, start a new run."
        "This run is complete.${also.takeIf { failed.isNotEmpty() }.orEmpty()}\n" +
            "For its report, use threadgauge report with the same folder."
    }
    is ResumeFault.Changed ->
        "The environment has changed since this run started, and one comparison must not mix the two:\n" +
            facts.joinToString("\n") { "  ${it.fact.words()}: ${it.before}, now ${it.now}" } + "\nStart a new run."
    is ResumeFault.Gone -> "The builds of these stacks no longer exist: ${stacks.joinToString()}."
    is ResumeFault.Rebuilt ->
        "The builds of these stacks have changed since the run started: ${stacks.joinToString()}.\n" +
            "One comparison must not mix builds. Start a new run, or restore the former builds."
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
    EnvironmentFact.OPEN_FILES -> "limit of open files"
}
