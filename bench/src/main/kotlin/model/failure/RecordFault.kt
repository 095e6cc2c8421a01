package threadgauge.model.failure

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import threadgauge.model.TextEncoding

/** What is wrong with a record on disk, or with a file of packed ones. Files and folders are as the user named them. */
@Serializable
sealed interface RecordFault {
    /** [folder] holds no record. */
    @Serializable
    @SerialName("none")
    data class None(val folder: String) : RecordFault

    /** [file] does not say which schema it has. */
    @Serializable
    @SerialName("no-schema")
    data class NoSchema(val file: String) : RecordFault

    /** [file] was written by a newer version; this one reads schemas up to [known]. */
    @Serializable
    @SerialName("newer-schema")
    data class NewerSchema(val file: String, val schema: Int, val known: Int) : RecordFault

    /** [file] cannot be understood: the parser's [detail]. */
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

    /** The system did not let the record be written to [folder]: its [detail]. */
    @Serializable
    @SerialName("not-written")
    data class NotWritten(val folder: String, val detail: String?) : RecordFault

    /** The folder of [entry] has a name that is not packed. */
    @Serializable
    @SerialName("unpackable-name")
    data class UnpackableName(val entry: String) : RecordFault

    /** Two records that were to be packed have folders of one name. */
    @Serializable
    @SerialName("same-name")
    data object SameName : RecordFault

    /** [file] is no packed record: what the reader of ZIP files says. */
    @Serializable
    @SerialName("not-packed")
    data class NotPacked(val file: String, val detail: String?) : RecordFault

    /** [file] is packed, and empty. */
    @Serializable
    @SerialName("packed-nothing")
    data class PackedNothing(val file: String) : RecordFault

    /** [file] holds [entry], which is nothing that is packed. */
    @Serializable
    @SerialName("packed-other")
    data class PackedOther(val file: String, val entry: String) : RecordFault

    /** The records in [file] have more than [megabytes]. */
    @Serializable
    @SerialName("packed-too-large")
    data class PackedTooLarge(val file: String, val megabytes: Int) : RecordFault
}

/** Why a run cannot be resumed: its new part would not be a measurement of the same thing. */
@Serializable
sealed interface ResumeFault {
    /** It came to its end. [failed] are the trials without figures, as stack and number. */
    @Serializable
    @SerialName("complete")
    data class Complete(val failed: List<String>) : ResumeFault

    /** What figures depend on is no longer the same. Never empty. */
    @Serializable
    @SerialName("changed")
    data class Changed(val facts: List<ChangedFact>) : ResumeFault

    /** What [stacks] were started from is no longer there. */
    @Serializable
    @SerialName("gone")
    data class Gone(val stacks: List<String>) : ResumeFault

    /** What [stacks] are built from is not what it was. */
    @Serializable
    @SerialName("rebuilt")
    data class Rebuilt(val stacks: List<String>) : ResumeFault
}

/** A fact of the environment, and its value when the run began and now. */
@Serializable
data class ChangedFact(val fact: EnvironmentFact, val before: String?, val now: String?)

/** What a figure depends on. Memory is in GB. */
@Serializable
enum class EnvironmentFact {
    THREADGAUGE, PROCESSOR, CORES, TARGET_CORES, AGENT_CORES, MEMORY, KERNEL, JAVA, OPEN_FILES,
}
