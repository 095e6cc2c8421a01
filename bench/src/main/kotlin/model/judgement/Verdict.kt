package threadgauge.model.judgement

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** The answer for one situation. */
@Serializable
sealed interface Verdict {
    /** The verdict in one or two sentences, ready to be read: "For requests that …". */
    val words: String

    /** [stacks] serve more, or answer faster, than every other stack by at least the margin; more than one means they do not differ. */
    @Serializable
    @SerialName("fits")
    data class Fits(val stacks: List<String>, override val words: String) : Verdict

    /** All stacks serve the same within the margin. */
    @Serializable
    @SerialName("no-difference")
    data class NoDifference(override val words: String) : Verdict

    /** The settings decided: the leaders stand at a ceiling, or the others do. */
    @Serializable
    @SerialName("decided-by-setting")
    data class DecidedBySetting(val stacks: List<String>, override val words: String) : Verdict

    @Serializable
    @SerialName("cannot-tell")
    data class CannotTell(override val words: String) : Verdict

    /** Each stack beside its baseline: what it does less of, and what it needs more of. Who is best was not asked. */
    @Serializable
    @SerialName("beside-baselines")
    data class BesideBaselines(override val words: String, val inShort: String) : Verdict

    /** A single stack was asked: its figures, and nothing to compare them with. */
    @Serializable
    @SerialName("alone")
    data class Alone(override val words: String) : Verdict

    /** One or two trials: figures without intervals. */
    @Serializable
    @SerialName("indicative")
    data class Indicative(override val words: String) : Verdict
}
