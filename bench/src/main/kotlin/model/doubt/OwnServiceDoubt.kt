package threadgauge.model.doubt

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import threadgauge.model.SeenPort

/** Doubts about the user's own services. */
@Serializable
sealed interface OwnServiceDoubt : DoubtFacts {
    /**
     * [stacks] ran already, so all their trials are of one process. [here]: one of them runs on this machine, not
     * pinned to cores.
     */
    @Serializable
    @SerialName("same-process")
    data class SameProcess(val stacks: List<String>, val here: Boolean) : OwnServiceDoubt {
        override val id get() = DoubtId.SAME_PROCESS
    }

    /** The processes of [stacks] could not be observed. */
    @Serializable
    @SerialName("not-seen")
    data class NotSeen(val stacks: List<String>) : OwnServiceDoubt {
        override val id get() = DoubtId.NOT_SEEN
    }

    /**
     * [stack] was measured at [port], which nobody told it to serve, although more than one of its ports answered
     * before it was ready: [ports].
     */
    @Serializable
    @SerialName("other-port")
    data class OtherPort(val stack: String, val port: Int, val ports: List<SeenPort>) : OwnServiceDoubt {
        override val id get() = DoubtId.OTHER_PORT
    }

    /** [first] and [second] answered the same request in different ways. */
    @Serializable
    @SerialName("different-answers")
    data class DifferentAnswers(
        val first: String,
        val second: String,
        val difference: AnswerDifference,
    ) : OwnServiceDoubt {
        override val id get() = DoubtId.DIFFERENT_ANSWERS
    }

    /**
     * [stack] answered the same request differently in trial [first] and from trial [then] on. [isResumed]:
     * the run was resumed, so the service may have been changed meanwhile.
     */
    @Serializable
    @SerialName("changed-answers")
    data class ChangedAnswers(
        val stack: String,
        val first: Int,
        val then: Int,
        val difference: AnswerDifference,
        val isResumed: Boolean,
    ) : OwnServiceDoubt {
        override val id get() = DoubtId.CHANGED_ANSWERS
    }
}

/** The difference between two answers; the first value is that of the first stack. */
@Serializable
sealed interface AnswerDifference {
    @Serializable
    @SerialName("status")
    data class Status(val first: Int, val second: Int) : AnswerDifference

    /** Null where an answer has no type. */
    @Serializable
    @SerialName("media-type")
    data class MediaType(val first: String?, val second: String?) : AnswerDifference

    /** Bodies that stay the same from request to request, and differ between the stacks. */
    @Serializable
    @SerialName("content")
    data class Content(val firstBytes: Long, val secondBytes: Long) : AnswerDifference

    /** Bodies that change from request to request, and are of different length. */
    @Serializable
    @SerialName("length")
    data class Length(val firstBytes: Long, val secondBytes: Long) : AnswerDifference
}
