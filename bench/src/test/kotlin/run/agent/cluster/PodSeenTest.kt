package threadgauge.run.agent.cluster

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

/** In the form in which `kubectl get … -o json` prints it. */
class PodSeenTest {
    @Test
    fun `pods come in the order of their indices`() {
        val pods = PodSeen.allIn(list(pod("b", 1, READY), pod("a", 0, READY)))
        pods.map { it.name } shouldContainExactly listOf("a", "b")
        PodSeen.allIn("""{"items": []}""").shouldBeEmpty()
    }

    @Test
    fun `a pod is ready when the cluster says so`() {
        val (ready, starting) = PodSeen.allIn(list(pod("a", 0, READY), pod("b", 1, """{"phase": "Running"}""")))
        ready.isReady shouldBe true
        ready.isEnded shouldBe false
        starting.isReady shouldBe false
    }

    @Test
    fun `an image that is not there is hopeless once the first attempt has failed`() {
        fun waiting(reason: String) = PodSeen.allIn(list(pod("a", 0, waitingFor(reason)))).single()
        waiting("ContainerCreating").isHopeless shouldBe false
        waiting("ErrImagePull").isHopeless shouldBe false
        waiting("ImagePullBackOff").isHopeless shouldBe true
        waiting("ImagePullBackOff").waits shouldBe ("ImagePullBackOff" to "Back-off pulling image")
        waiting("ErrImageNeverPull").isHopeless shouldBe true
    }

    @Test
    fun `a pod without a place waits, and says what for`() {
        val status = """{"phase": "Pending", "conditions": [{"type": "PodScheduled", "status": "False",
            "reason": "Unschedulable", "message": "0/1 nodes are available: 1 Insufficient cpu."}]}"""
        val pod = PodSeen.allIn(list(pod("a", 0, status))).single()
        pod.isHopeless shouldBe false
        pod.waits shouldBe ("Unschedulable" to "0/1 nodes are available: 1 Insufficient cpu.")
    }

    @Test
    fun `an agent that ended has its exit code, and one that was evicted its reason`() {
        val ended = """{"phase": "Failed", "containerStatuses": [{"state": {"terminated": {"exitCode": 65}}}]}"""
        val evicted = """{"phase": "Failed", "reason": "Evicted", "message": "The node was low on resource: memory."}"""
        val (first, second) = PodSeen.allIn(list(pod("a", 0, ended), pod("b", 1, evicted)))
        first.isEnded shouldBe true
        first.exitCode shouldBe 65
        first.waits shouldBe null
        second.waits shouldBe ("Evicted" to "The node was low on resource: memory.")
    }

    @Test
    fun `of events only warnings say why there are no pods`() {
        val text = """{"items": [{"type": "Normal", "message": "Created pod: a"},
            {"type": "Warning", "message": "exceeded quota: small"}]}"""
        eventsIn(text) shouldContainExactly listOf("exceeded quota: small")
    }

    private fun list(vararg pods: String) = """{"apiVersion": "v1", "items": [${pods.joinToString()}]}"""

    private fun pod(name: String, index: Int, status: String) =
        """{"metadata": {"name": "$name", "annotations": {"batch.kubernetes.io/job-completion-index": "$index"}},
            "status": $status}"""

    private fun waitingFor(reason: String) = """{"phase": "Pending", "containerStatuses": [
        {"state": {"waiting": {"reason": "$reason", "message": "Back-off pulling image"}}}]}"""

    private companion object {
        const val READY = """{"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}],
            "containerStatuses": [{"ready": true, "state": {"running": {}}}]}"""
    }
}
