package threadgauge.tickets.faults.cluster

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import kotlin.io.path.readText
import kotlin.io.path.writeText
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

/** A script stands in for kubectl, and prints what a cluster was seen to answer. */
class KubectlTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `pods that are being deleted are none, and one without an address is not ready`() {
        val kubectl = kubectl(
            "echo 'tickets-1 u1 True 10.244.0.7 '; echo 'tickets-2 u2 False  '; " +
                "echo 'tickets-3 u3 True 10.244.0.9 2026-11-29T08:00:00Z'; echo",
        )
        val pods = kubectl.pods("tickets")
        pods.map { "${it.name} ${it.address} ${it.isReady}" } shouldContainExactly
            listOf("tickets-1 10.244.0.7 true", "tickets-2  false")
    }

    @Test
    fun `it asks about its namespace, and gives what there is to read`() {
        val kubectl = kubectl("echo \"$*\" > $folder/asked; cat > $folder/read")
        kubectl.done("create", "--filename=-", input = "kind: Pod")
        folder.resolve("asked").readText().trim() shouldBe "--namespace sale create --filename=-"
        folder.resolve("read").readText() shouldBe "kind: Pod"
    }

    @Test
    fun `a refusal is told with what was asked and what was printed`() {
        val kubectl = kubectl("echo 'Cannot evict pod' >&2; exit 1")
        val failed = shouldThrow<KubectlFailed> { kubectl.done("delete", "pod", "x") }
        failed.message shouldContain "kubectl delete pod x: Cannot evict pod"
        kubectl.does("delete", "pod", "x") shouldBe false
        kubectl("exit 0").does("delete", "pod", "x") shouldBe true
    }

    @Test
    fun `only processes of its own control groups are killed`() {
        val uid = "00000000-of-no-process"
        Pod("x", uid, "", isReady = true).kill() shouldBe 0
    }

    private fun kubectl(script: String): Kubectl {
        val program = folder.resolve("kubectl")
        program.writeText("#!/bin/sh\n$script\n")
        program.toFile().setExecutable(true)
        return Kubectl("sale", "$program")
    }
}
