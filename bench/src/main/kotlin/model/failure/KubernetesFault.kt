package threadgauge.model.failure

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** Why load agents could not be had in a Kubernetes cluster. Whatever was created there is taken away again. */
@Serializable
sealed interface KubernetesFault {
    /** [program] cannot be started on this machine. */
    @Serializable
    @SerialName("no-program")
    data class NoProgram(val program: String) : KubernetesFault

    /** The cluster refused to [what], a verb and a kind such as `create job`, in the words of [detail]. */
    @Serializable
    @SerialName("refused")
    data class Refused(val what: String, val detail: String) : KubernetesFault

    /** The program has not ended [seconds] after it was to [what], as in [Refused]. */
    @Serializable
    @SerialName("no-answer")
    data class NoAnswer(val what: String, val seconds: Long) : KubernetesFault

    /** The cluster accepted the Job and creates no pods for it, because of [detail]: a quota, or an admission rule. */
    @Serializable
    @SerialName("no-pods")
    data class NoPods(val detail: String) : KubernetesFault

    /** [pod] cannot run: for [reason], a word of Kubernetes such as `ErrImagePull`, and [detail]. */
    @Serializable
    @SerialName("pod")
    data class Pod(val pod: String, val reason: String, val detail: String?) : KubernetesFault

    /** The agent in [pod] ended with [exitCode] before it was needed; [log] is the end of what it printed. */
    @Serializable
    @SerialName("ended")
    data class Ended(val pod: String, val exitCode: Int?, val log: String) : KubernetesFault

    /** After [seconds] only [ready] of [pods] were ready. [detail] is what the next one waits for, if that is known. */
    @Serializable
    @SerialName("slow")
    data class Slow(val ready: Int, val pods: Int, val seconds: Long, val detail: String?) : KubernetesFault

    /** No connection through the cluster to [pod] could be opened, because of [detail], if a reason was given. */
    @Serializable
    @SerialName("no-way")
    data class NoWay(val pod: String, val detail: String?) : KubernetesFault
}
