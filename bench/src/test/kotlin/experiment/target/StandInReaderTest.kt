package threadgauge.experiment.target

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.io.path.writeText
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.experiment.KNOWN
import threadgauge.experiment.readExperimentFile
import threadgauge.model.ServiceKind
import threadgauge.model.ServiceReady

class StandInReaderTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `a stand-in is the shipped backend with options, ready when its port is open`() {
        val file = folder.resolve("shop.yaml")
        file.writeText(
            """
            name: shop
            question: Which?
            stacks: [{name: shop, url: "http://localhost:8080"}]
            services:
              - name: payments
                upstream: {delay: 80ms..0.12s, errors: 0.1%, body: '{"a": "b c"}', type: application/json}
                passes: {PAYMENTS: "http://127.0.0.1:{port}"}
              - {name: slow, upstream: {delay: 2s}}
            request: GET /
            load: {users: 1, for: 1s}
            """.trimIndent(),
        )
        val (payments, slow) = readExperimentFile(file, KNOWN).services
        payments.kind shouldBe ServiceKind.OWN
        payments.command shouldContainExactly listOf(
            "{java}", "--port={port}", "--delay=80..120", "--errors=0.001", "--body={\"a\": \"b c\"}",
            "--type=application/json",
        )
        payments.ready shouldBe ServiceReady("{port}")
        payments.module shouldBe "upstream"
        payments.passes shouldBe mapOf("PAYMENTS" to "http://127.0.0.1:{port}")
        slow.command.drop(2) shouldContainExactly listOf("--delay=2000")
    }
}
