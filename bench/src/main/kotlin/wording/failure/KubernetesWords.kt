package threadgauge.wording.failure

import threadgauge.model.VERSION
import threadgauge.model.failure.KubernetesFault
import threadgauge.wording.counted

/** What happened in the cluster of [context], and what to do about it. */
internal fun KubernetesFault.words(context: String?): String = when (this) {
    is KubernetesFault.NoProgram ->
        "$program was not found. Load agents in a cluster are started by it: install it, or put it on the PATH."
    is KubernetesFault.Refused ->
        "The cluster${of(context)} refused to $what: ${detail.trimEnd('.')}.${remedy(detail)}"
    is KubernetesFault.NoAnswer -> "kubectl was to $what and has not answered for $seconds s. Is the cluster" +
        "${of(context)} there? Look with: kubectl get nodes"
    is KubernetesFault.NoPods ->
        "The cluster${of(context)} accepted the Job of the load agents and creates no pods for it: " +
            "${detail.trimEnd('.')}. Ask for fewer pods, for less processor and memory, or in another namespace."
    is KubernetesFault.Pod -> "The load agent in pod $pod cannot start: $reason" +
        "${detail?.let { " (${it.trimEnd('.')})" }.orEmpty()}.${remedyFor(reason)}"
    is KubernetesFault.Ended -> "The load agent in pod $pod ended" +
        "${exitCode?.let { " with exit code $it" }.orEmpty()} before the run began." +
        log.takeIf { it.isNotBlank() }?.let { " It printed:\n$it" }.orEmpty()
    is KubernetesFault.Slow ->
        "Of ${counted(pods.toLong(), "pod")} with load agents $ready were ready after $seconds s" +
            detail?.let { ": ${it.trimEnd('.')}.${remedyFor(it.substringBefore(','))}" }.orEmpty().ifEmpty { "." }
    is KubernetesFault.NoWay -> "No connection to the load agent in pod $pod" +
        "${detail?.let { ": ${it.trimEnd('.')}" }.orEmpty()}. kubectl port-forward must be allowed."
}

private fun of(context: String?) = context?.let { " of the context $it" }.orEmpty()

private fun remedy(detail: String): String {
    NO_NAMESPACE.find(detail)?.let { return " Make it with: kubectl create namespace ${it.groupValues[1]}" }
    return if ("forbidden" !in detail.lowercase()) "" else
        " Whoever runs this needs the right to create and delete Jobs and Secrets, to get pods and events, and to " +
            "use pods/portforward."
}

private fun remedyFor(reason: String) = when (reason) {
    in IMAGE_REASONS -> " The image must hold Threadgauge $VERSION, and the cluster's machines must be able to load it."
    UNSCHEDULABLE -> " Ask for fewer pods, or for less processor and memory."
    else -> ""
}

private val IMAGE_REASONS = setOf("ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull", "InvalidImageName")
private val NO_NAMESPACE = Regex("""namespaces "([^"]+)" not found""")
private const val UNSCHEDULABLE = "Unschedulable"
