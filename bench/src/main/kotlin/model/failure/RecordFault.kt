package threadgauge.model.failure

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import threadgauge.model.TextEncoding

/** A problem with a record on disk, or with a file of packed records. Files and folders are as the user named them. */
@Serializable
sealed interface RecordFault {
    /** [folder] contains no record. */
    @Serializable
    @SerialName("none")
    data class None(val folder: String) : RecordFault

    /** [file] has no schema number. */
    @Serializable
    @SerialName("no-schema")
    data class NoSchema(val file: String) : RecordFault

    /** [file] was written by a newer version; this one reads schemas up to [known]. */
    @Serializable
    @SerialName("newer-schema")
    data class NewerSchema(val file: String, val schema: Int, val known: Int) : RecordFault

    /** [file] cannot be parsed: the parser's [detail]. */
    @Serializable
    @SerialName("broken")
    data class Broken(val file: String, val detail: String?) : RecordFault

    /** [file] is not UTF-8, but most likely in [encoding] where one fits. */
    @Serializable
    @SerialName("not-utf-8")
    data class NotUtf8(val file: String, val encoding: TextEncoding?) : RecordFault

    /** Another process, [owner] where known, writes the record in [folder]. */
    @Serializable
    @SerialName("in-use")
    data class InUse(val folder: String, val owner: Long?) : RecordFault

    /** The record could not be written to [folder]: the system's [detail]. */
    @Serializable
    @SerialName("not-written")
    data class NotWritten(val folder: String, val detail: String?) : RecordFault

    /** The folder of [entry] has a name that cannot be packed. */
    @Serializable
    @SerialName("unpackable-name")
    data class UnpackableName(val entry: String) : RecordFault

    /** Two records to be packed have folders with the same name. */
    @Serializable
    @SerialName("same-name")
    data object SameName : RecordFault

    /** [file] is not a packed record: the ZIP reader's detail. */
    @Serializable
    @SerialName("not-packed")
    data class NotPacked(val file: String, val detail: String?) : RecordFault

    /** [file] is packed, and empty. */
    @Serializable
    @SerialName("packed-nothing")
    data class PackedNothing(val file: String) : RecordFault

    /** [file] contains [entry], which is not a packed record. */
    @Serializable
    @SerialName("packed-other")
    data class PackedOther(val file: String, val entry: String) : RecordFault

    /** The records in [file] are larger than [megabytes]. */
    @Serializable
    @SerialName("packed-too-large")
    data class PackedTooLarge(val file: String, val megabytes: Int) : RecordFault
}

/** Why a run cannot be resumed: its new part would not be a measurement of the same thing. */
@Serializable
sealed interface ResumeFault {
    /** It is complete. [failed] are the trials without figures, as stack and number. */
    @Serializable
    @SerialName("complete")
    data class Complete(val failed: List<String>) : ResumeFault

    /** The environment has changed. Never empty. */
    @Serializable
    @SerialName("changed")
    data class Changed(val facts: List<ChangedFact>) : ResumeFault

    /** The builds of [stacks] no longer exist. */
    @Serializable
    @SerialName("gone")
    data class Gone(val stacks: List<String>) : ResumeFault

    /** The builds of [stacks] have changed. */
    @Serializable
    @SerialName("rebuilt")
    data class Rebuilt(val stacks: List<String>) : ResumeFault
}

/** A fact of the environment, with its values when the run started and now. */
@Serializable
data class ChangedFact(val fact: EnvironmentFact, val before: String?, val now: String?)

/** Facts that affect figures. Memory is in GB. */
@Serializable
enum class EnvironmentFact {
    THREADGAUGE, PROCESSOR, CORES, TARGET_CORES, AGENT_CORES, MEMORY, KERNEL, JAVA, OPEN_FILES,
}
