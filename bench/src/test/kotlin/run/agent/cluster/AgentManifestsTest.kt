package threadgauge.run.agent.cluster

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Test
import threadgauge.model.KubernetesAgents

class AgentManifestsTest {
    private val job = AgentManifests(PODS, "threadgauge-a1", setOf("shop.example.org", "10.0.0.7")).job()

    @Test
    fun `a Job has a pod for each share, and none is started again`() {
        job["kind"].text shouldBe "Job"
        job["spec"]["completions"].text shouldBe "3"
        job["spec"]["parallelism"].text shouldBe "3"
        job["spec"]["completionMode"].text shouldBe "Indexed"
        job["spec"]["backoffLimitPerIndex"].text shouldBe "0"
        job["spec"]["template"]["spec"]["restartPolicy"].text shouldBe "Never"
        job["metadata"]["namespace"].text shouldBe "load"
    }

    @Test
    fun `the cluster deletes what a killed run leaves, and the Secret with the Job`() {
        job["spec"]["ttlSecondsAfterFinished"].text shouldBe "60"
        val secret = AgentManifests(PODS, "threadgauge-a1", emptySet()).secret("secret", "uid-1")
        val owner = secret["metadata"]["ownerReferences"].jsonArray.single()
        owner["uid"].text shouldBe "uid-1"
        owner["name"].text shouldBe "threadgauge-a1"
        secret["stringData"]["token"].text shouldBe "secret"
    }

    @Test
    fun `an agent may load what the run measures and nothing else`() {
        val arguments = container["args"].jsonArray.map { it.text }
        arguments shouldContainExactly listOf(
            "agent", "--listen", "7400", "--once", "--token", "/var/run/threadgauge/token", "--out", "/tmp/agent",
            "--i-may-load", "10.0.0.7", "--i-may-load", "shop.example.org",
        )
    }

    @Test
    fun `a pod has no rights, and the processor that was asked for, whole`() {
        container["securityContext"]["readOnlyRootFilesystem"].text shouldBe "true"
        val dropped = container["securityContext"]["capabilities"]["drop"].jsonArray.map { it.text }
        dropped shouldContainExactly listOf("ALL")
        job["spec"]["template"]["spec"]["automountServiceAccountToken"].text shouldBe "false"
        for (kind in listOf("requests", "limits")) container["resources"][kind]["cpu"].text shouldBe "2"
        val plain = AgentManifests(PODS.copy(cpu = null), "threadgauge-a1", emptySet()).job()
        plain["spec"]["template"]["spec"]["containers"].jsonArray.single().jsonObject["resources"].shouldBeNull()
    }

    private val container get() = job["spec"]["template"]["spec"]["containers"].jsonArray.single()

    private companion object {
        val PODS = KubernetesAgents(3, "registry.example.org/threadgauge:0.2.0", namespace = "load", cpu = "2")

        operator fun JsonElement?.get(key: String): JsonElement =
            checkNotNull((this as JsonObject).getValue(key)) { key }

        val JsonElement?.text: String get() = checkNotNull(this).jsonPrimitive.content
    }
}
