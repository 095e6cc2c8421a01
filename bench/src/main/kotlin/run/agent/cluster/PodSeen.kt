package threadgauge.run.agent.cluster

import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json

/** A pod, as `kubectl get pods` shows it: what matters to who waits for it. */
internal data class PodSeen(
    val name: String,
    /** Its index in the Job. */
    val index: Int,
    /** Its startup probe was answered. */
    val isReady: Boolean,
    /** Why it is not ready, a word of Kubernetes and what it says; null where it says nothing. */
    val waits: Pair<String, String?>?,
    /** Its container ended. */
    val isEnded: Boolean,
    val exitCode: Int?,
) {
    /** It will not become ready by waiting. */
    val isHopeless: Boolean get() = waits?.first in HOPELESS

    companion object {
        /** The pods of [text], which is JSON, in the order of their indices. Throws `SerializationException`. */
        fun allIn(text: String): List<PodSeen> =
            lenient.decodeFromString(PodList.serializer(), text).items.map(::seen).sortedBy { it.index }

        private fun seen(pod: Pod): PodSeen {
            val container = pod.status.containerStatuses.firstOrNull()
            val waiting = container?.state?.waiting
            val unschedulable = pod.status.conditions.firstOrNull { it.type == "PodScheduled" && it.status == "False" }
            val waits = when {
                waiting?.reason != null -> waiting.reason to waiting.message
                unschedulable?.reason != null -> unschedulable.reason to unschedulable.message
                // A pod that was evicted has no container that says why.
                pod.status.phase == FAILED && pod.status.reason != null -> pod.status.reason to pod.status.message
                else -> null
            }
            return PodSeen(
                name = pod.metadata.name,
                index = pod.metadata.annotations[INDEX]?.toIntOrNull() ?: 0,
                isReady = pod.status.conditions.any { it.type == "Ready" && it.status == "True" },
                waits = waits,
                isEnded = pod.status.phase in ENDED,
                exitCode = container?.state?.terminated?.exitCode,
            )
        }

        private val lenient = Json { ignoreUnknownKeys = true }
        private const val INDEX = "batch.kubernetes.io/job-completion-index"
        private const val FAILED = "Failed"
        private val ENDED = setOf("Succeeded", FAILED)

        /** States of a container that the kubelet tries again, but which the same image and settings always end in. */
        private val HOPELESS = setOf(
            "ImagePullBackOff", "ErrImageNeverPull", "InvalidImageName", "CreateContainerConfigError",
            "CreateContainerError", "RunContainerError",
        )
    }
}

/** The messages in the events of [text], which is JSON: why the cluster creates no pods. Newest last. */
internal fun eventsIn(text: String): List<String> =
    eventJson.decodeFromString(EventList.serializer(), text).items.filter { it.type == "Warning" }
        .mapNotNull { it.message }

private val eventJson = Json { ignoreUnknownKeys = true }

@Serializable
private class EventList(val items: List<Event> = emptyList())

@Serializable
private class Event(val type: String? = null, val message: String? = null)

@Serializable
private class PodList(val items: List<Pod> = emptyList())

@Serializable
private class Pod(val metadata: Metadata, val status: Status = Status())

@Serializable
private class Metadata(val name: String, val annotations: Map<String, String> = emptyMap())

@Serializable
private class Status(
    val phase: String? = null,
    val reason: String? = null,
    val message: String? = null,
    val conditions: List<Condition> = emptyList(),
    val containerStatuses: List<Container> = emptyList(),
)

@Serializable
private class Condition(
    val type: String,
    val status: String,
    val reason: String? = null,
    val message: String? = null,
)

@Serializable
private class Container(val state: State = State())

@Serializable
private class State(val waiting: Waiting? = null, val terminated: Terminated? = null)

@Serializable
private class Waiting(val reason: String? = null, val message: String? = null)

@Serializable
private class Terminated(val exitCode: Int? = null)
