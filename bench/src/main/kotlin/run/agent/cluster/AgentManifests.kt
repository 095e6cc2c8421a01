package threadgauge.run.agent.cluster

import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonObjectBuilder
import kotlinx.serialization.json.add
import kotlinx.serialization.json.addJsonObject
import kotlinx.serialization.json.buildJsonArray
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonArray
import kotlinx.serialization.json.putJsonObject
import threadgauge.load.agent.link.AgentToken
import threadgauge.model.AgentHost
import threadgauge.model.KubernetesAgents

/**
 * What a run creates in a cluster for [agents], all with the name [name]: an Indexed Job, each pod of which is a load
 * agent that works for one coordinator and then ends, and a Secret with their token. Agents may load [mayLoad], hosts,
 * and nothing else.
 *
 * Nothing outlives the run: it deletes the Job at its end. If it is killed, the agents end because it is gone, the
 * cluster deletes the Job a minute later, and the Secret with it, because it belongs to the Job.
 */
class AgentManifests(
    private val agents: KubernetesAgents,
    val name: String,
    private val mayLoad: Set<String>,
) {
    /** Selects the pods. */
    val selector = "$RUN_LABEL=$name"

    /** The Job, in the form of the API of Kubernetes. */
    fun job(): JsonObject = buildJsonObject {
        put("apiVersion", "batch/v1")
        put("kind", "Job")
        metadata()
        putJsonObject("spec") {
            put("completions", agents.pods)
            put("parallelism", agents.pods)
            put("completionMode", "Indexed")
            // A pod that ends early is not started again, and the others go on: the run decides what that means.
            put("backoffLimitPerIndex", 0)
            put("maxFailedIndexes", agents.pods)
            put("ttlSecondsAfterFinished", SECONDS_AFTER_END)
            put("activeDeadlineSeconds", LONGEST_SECONDS)
            putJsonObject("template") {
                putJsonObject("metadata") { labels() }
                putJsonObject("spec") { pod() }
            }
        }
    }

    /** The Secret with [token]. It is deleted with the Job of [jobUid]; null where that is not known, as on paper. */
    fun secret(token: String, jobUid: String?): JsonObject = buildJsonObject {
        put("apiVersion", "v1")
        put("kind", "Secret")
        metadata(jobUid)
        put("type", "Opaque")
        putJsonObject("stringData") { put(TOKEN, token) }
    }

    private fun JsonObjectBuilder.metadata(jobUid: String? = null) = putJsonObject("metadata") {
        put("name", name)
        agents.namespace?.let { put("namespace", it) }
        labels()
        if (jobUid != null) {
            putJsonArray("ownerReferences") {
                addJsonObject {
                    put("apiVersion", "batch/v1")
                    put("kind", "Job")
                    put("name", name)
                    put("uid", jobUid)
                }
            }
        }
    }

    private fun JsonObjectBuilder.labels() = putJsonObject("labels") {
        put("app.kubernetes.io/name", "threadgauge")
        put("app.kubernetes.io/component", "load-agent")
        put("app.kubernetes.io/managed-by", "threadgauge")
        put(RUN_LABEL, name)
    }

    private fun JsonObjectBuilder.pod() {
        put("restartPolicy", "Never")
        put("automountServiceAccountToken", false)
        put("enableServiceLinks", false)
        put("terminationGracePeriodSeconds", GRACE_SECONDS)
        putJsonObject("securityContext") {
            put("runAsNonRoot", true)
            put("runAsUser", NOBODY)
            put("runAsGroup", NOBODY)
            putJsonObject("seccompProfile") { put("type", "RuntimeDefault") }
        }
        putJsonArray("containers") { addJsonObject { container() } }
        putJsonArray("volumes") {
            addJsonObject {
                put("name", TOKEN)
                putJsonObject("secret") { put("secretName", name) }
            }
            addJsonObject {
                put("name", "scratch")
                putJsonObject("emptyDir") {}
            }
        }
    }

    private fun JsonObjectBuilder.container() {
        put("name", "agent")
        put("image", agents.image)
        put("imagePullPolicy", "IfNotPresent")
        put("args", buildJsonArray {
            listOf("agent", "--listen", "$PORT", "--once", "--token", "$TOKEN_FOLDER/$TOKEN", "--out", "$SCRATCH/agent")
                .forEach { add(it) }
            for (host in mayLoad.sorted()) {
                add("--i-may-load")
                add(host)
            }
        })
        putJsonArray("env") {
            addJsonObject {
                put("name", "HOME")
                put("value", SCRATCH)
            }
        }
        putJsonArray("ports") { addJsonObject { put("containerPort", PORT) } }
        // Once: probes of a pod that is ready would go on during the load.
        putJsonObject("startupProbe") {
            putJsonObject("tcpSocket") { put("port", PORT) }
            put("periodSeconds", 1)
            put("failureThreshold", START_SECONDS)
        }
        resources()
        putJsonObject("securityContext") {
            put("allowPrivilegeEscalation", false)
            put("readOnlyRootFilesystem", true)
            putJsonObject("capabilities") { putJsonArray("drop") { add("ALL") } }
        }
        putJsonArray("volumeMounts") {
            addJsonObject {
                put("name", TOKEN)
                put("mountPath", TOKEN_FOLDER)
                put("readOnly", true)
            }
            addJsonObject {
                put("name", "scratch")
                put("mountPath", SCRATCH)
            }
        }
    }

    /** The same requested and at most, so that no other pod takes a part of it (the class `Guaranteed`). */
    private fun JsonObjectBuilder.resources() {
        if (agents.cpu == null && agents.memory == null) return
        putJsonObject("resources") {
            for (kind in listOf("requests", "limits")) {
                putJsonObject(kind) {
                    agents.cpu?.let { put("cpu", it) }
                    agents.memory?.let { put("memory", it) }
                }
            }
        }
    }

    companion object {
        /** A name that no other run has: lower-case letters and digits after the program's. */
        fun newName(): String = "threadgauge-" + AgentToken.new().take(NAME_DIGITS)

        const val PORT = AgentHost.DEFAULT_PORT
        private const val RUN_LABEL = "threadgauge/run"
        private const val TOKEN = "token"
        private const val TOKEN_FOLDER = "/var/run/threadgauge"
        private const val SCRATCH = "/tmp"
        private const val NAME_DIGITS = 10

        /** The user and the group `nobody` of most images; the agent needs no right of any user. */
        private const val NOBODY = 65_534
        private const val GRACE_SECONDS = 5
        private const val START_SECONDS = 120

        /** Long enough to read the logs of a run that was killed. */
        private const val SECONDS_AFTER_END = 60

        /** A day, for a run that hangs. */
        private const val LONGEST_SECONDS = 86_400
    }
}
