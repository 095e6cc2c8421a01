package threadgauge.model.doubt

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** All kinds of doubts. [id] is stable: JSON documents, reports and the documentation use it. */
@Serializable
enum class DoubtId(val id: String) {
    @SerialName("littles-law") LITTLES_LAW("littles-law"),
    @SerialName("failures") FAILURES("failures"),
    @SerialName("left-over") LEFT_OVER("left-over"),
    @SerialName("few-samples") FEW_SAMPLES("few-samples"),
    @SerialName("short-window") SHORT_WINDOW("short-window"),
    @SerialName("unequal-work") UNEQUAL_WORK("unequal-work"),
    @SerialName("outlier") OUTLIER("outlier"),
    @SerialName("not-measured") NOT_MEASURED("not-measured"),
    @SerialName("agent-near-its-ceiling") AGENT_NEAR_ITS_CEILING("agent-near-its-ceiling"),
    @SerialName("sent-late") SENT_LATE("sent-late"),
    @SerialName("agent-collected-garbage") AGENT_COLLECTED_GARBAGE("agent-collected-garbage"),
    @SerialName("not-steady") NOT_STEADY("not-steady"),
    @SerialName("mislabelled-model") MISLABELLED_MODEL("mislabelled-model"),
    @SerialName("impossible-counter") IMPOSSIBLE_COUNTER("impossible-counter"),
    @SerialName("stolen-time") STOLEN_TIME("stolen-time"),
    @SerialName("other-programs") OTHER_PROGRAMS("other-programs"),
    @SerialName("noise") NOISE("noise"),
    @SerialName("core-speed") CORE_SPEED("core-speed"),
    @SerialName("swapping") SWAPPING("swapping"),
    @SerialName("file-limit") FILE_LIMIT("file-limit"),
    @SerialName("not-pinned") NOT_PINNED("not-pinned"),
    @SerialName("busy-machine") BUSY_MACHINE("busy-machine"),
    @SerialName("not-complete") NOT_COMPLETE("not-complete"),
    @SerialName("carried-on") CARRIED_ON("carried-on"),
    @SerialName("measured-cold") MEASURED_COLD("measured-cold"),
    @SerialName("indicative") INDICATIVE("indicative"),
    @SerialName("same-process") SAME_PROCESS("same-process"),
    @SerialName("not-seen") NOT_SEEN("not-seen"),
    @SerialName("other-port") OTHER_PORT("other-port"),
    @SerialName("different-answers") DIFFERENT_ANSWERS("different-answers"),
    @SerialName("promise-broken") PROMISE_BROKEN("promise-broken"),
    @SerialName("few-processes") FEW_PROCESSES("few-processes"),
    @SerialName("wide-interval") WIDE_INTERVAL("wide-interval"),
    @SerialName("processes-disagree") PROCESSES_DISAGREE("processes-disagree"),
    @SerialName("agent") AGENT("agent"),
    @SerialName("other-machine") OTHER_MACHINE("other-machine"),
    @SerialName("other-java") OTHER_JAVA("other-java"),
    @SerialName("other-kernel") OTHER_KERNEL("other-kernel"),
    @SerialName("other-version") OTHER_VERSION("other-version"),
    @SerialName("not-interleaved") NOT_INTERLEAVED("not-interleaved"),
}
