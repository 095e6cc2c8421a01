package threadgauge.dist

import io.kotest.assertions.withClue
import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText
import kotlin.io.path.writeText
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.long
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

/** Runs whose load comes from pods of a real cluster, with the image of a release. */
@Tag("processes")
@Tag("cluster")
class ClusterTest {
    /** Whatever a test did, nothing of a run may be left; a killed one is gone after its minute. */
    @AfterEach
    fun `nothing is left`() {
        val untilNanos = System.nanoTime() + LEFT_SECONDS * 1_000_000_000
        var left = left()
        while (left.isNotEmpty() && System.nanoTime() < untilNanos) {
            Thread.sleep(1_000)
            left = left()
        }
        left shouldBe ""
    }

    @Test
    fun `three pods share a load, every request is counted once, and the Job is gone at the end`() {
        val ran = run("three", pods = 3)
        withClue(ran.output) { ran.exitCode shouldBe 0 }
        left() shouldBe ""
        val sample = sampleOf("three")
        val counts = sample.getValue("counts").jsonObject
        counts.getValue("answered").jsonPrimitive.long shouldBe counts.getValue("scheduled").jsonPrimitive.long
        counts.getValue("scheduled").jsonPrimitive.long shouldBe RATE * SECONDS
        ran.output shouldContain "server"
    }

    @Test
    fun `an image that is not there is told, and the Job is gone`() {
        val ran = run("no-image", pods = 1, image = "cluster.invalid/nothing:1")
        ran.exitCode shouldBe 69
        ran.output shouldContain "cannot start: "
        ran.millis shouldBeLessThan 120_000L
    }

    @Test
    fun `a quota that allows no pod is told`() {
        cluster.kubectl("create", "namespace", "small")
        cluster.kubectl("create", "quota", "none", "--hard=pods=0", "--namespace", "small")
        val ran = run("quota", pods = 1, more = ", namespace: small")
        ran.exitCode shouldBe 69
        ran.output shouldContain "exceeded quota"
    }

    @Test
    fun `a run that is killed leaves nothing`() {
        // Agents that no run has reached yet wait four minutes for one.
        val process = start("killed", pods = 2, seconds = 60, options = listOf("--prometheus", "$METRICS"))
        await { isMeasuring() }
        (process.descendants().toList() + process.toHandle()).forEach { it.destroyForcibly() }
    }

    @Test
    fun `a pod that is deleted in the middle of a load is missing in it, and nothing is counted twice`() =
        loses("deleted") { pod -> cluster.kubectl("delete", "pod", pod, "--wait=false") }

    @Test
    fun `a pod that is evicted in the middle of a load is missing in it, and nothing is counted twice`() =
        loses("evicted") { pod ->
            val eviction = """{"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "$pod"}}"""
            val path = "/api/v1/namespaces/default/pods/$pod/eviction"
            cluster.kubectl("create", "--raw", path, "--filename=-", input = eviction)
        }

    /** Of two pods one is lost, by [lose], when a load of [LONG_SECONDS] has begun. */
    private fun loses(name: String, lose: (String) -> Unit) {
        val process = start(name, 2, LONG_SECONDS, more = ", lost: go on", options = listOf("--prometheus", "$METRICS"))
        await { isMeasuring() }
        val pod = cluster.kubectl("get", "pods", "-l", OURS, "-o", "name").lines().first { "pod/" in it }
        lose(pod.removePrefix("pod/"))
        process.waitFor(3, TimeUnit.MINUTES) shouldBe true
        left() shouldBe ""
        val counts = sampleOf(name).getValue("counts").jsonObject
        fun count(of: String) = counts[of]?.jsonPrimitive?.long ?: 0
        withClue(counts) {
            count("answered") + count("failed") + count("unfinished") shouldBe count("scheduled")
            count("scheduled") shouldBeLessThan RATE * LONG_SECONDS
            // The other pod went on to the end.
            count("scheduled") shouldBeGreaterThanOrEqual RATE / 2 * LONG_SECONDS
        }
    }

    @Test
    fun `who may not make Jobs is told what is not allowed`() {
        cluster.kubectl("create", "serviceaccount", "nobody")
        val token = cluster.kubectl("create", "token", "nobody").trim()
        val settings = home.resolve("nobody.conf")
        settings.writeText(
            cluster.settings.replace(Regex("client-certificate: [^,]*, client-key: [^}]*"), "token: \"$token\""),
        )
        val begun = System.nanoTime()
        val process = start("nobody", pods = 1, before = listOf("env", "KUBECONFIG=$settings"))
        val output = process.inputReader().readText()
        process.waitFor(1, TimeUnit.MINUTES) shouldBe true
        withClue(output) {
            process.exitValue() shouldBe 69
            output shouldContain "cannot create resource"
        }
        (System.nanoTime() - begun) / 1_000_000 shouldBeLessThan 60_000L
    }

    private fun run(name: String, pods: Int, image: String = IMAGE, more: String = ""): Ran {
        val begun = System.nanoTime()
        val process = start(name, pods, SECONDS, image, more)
        val output = process.inputReader().readText()
        process.waitFor()
        return Ran(process.exitValue(), output, (System.nanoTime() - begun) / 1_000_000)
    }

    private fun start(
        name: String,
        pods: Int,
        seconds: Long = SECONDS,
        image: String = IMAGE,
        more: String = "",
        before: List<String> = emptyList(),
        options: List<String> = emptyList(),
    ): Process {
        val file = home.resolve("$name.yaml")
        file.writeText(
            """
            name: $name
            question: Does it work?
            stacks: [{name: server, url: "http://$SERVER:8080"}]
            request: GET /hello
            load: {rate: $RATE/s, for: ${seconds}s}
            trials: 1
            warm-up: {budget: 2s, load: 500ms, pause: 100ms}
            agents: {kubernetes: $pods, image: "$image"$more}
            """.trimIndent() + "\n",
        )
        val program = projectRoot.resolve("threadgauge").toString()
        val command = before + listOf(program, "run", "$file", "--i-may-load", SERVER, "--no-causes") + options
        return cluster.onNode(*command.toTypedArray()).redirectErrorStream(true).start()
    }

    /** By what the run exports while it goes on. */
    private fun isMeasuring(): Boolean {
        val page = cluster.onNode("curl", "-s", "http://127.0.0.1:$METRICS/metrics").start()
        val phases = page.inputReader().readLines().filter { it.startsWith("threadgauge_run_phase") }
        return phases.any { "\"measuring\"" in it && it.substringAfterLast(' ').toDouble() == 1.0 }
    }

    private fun sampleOf(name: String): JsonObject {
        val record = home.resolve("results").listDirectoryEntries("$name-*").single().resolve("record.json")
        return Json.parseToJsonElement(record.readText()).jsonObject.getValue("trials").jsonArray.single().jsonObject
            .getValue("samples").jsonArray.single().jsonObject
    }

    private fun left(): String =
        cluster.kubectl("get", "jobs,pods,secrets", "--all-namespaces", "-l", OURS, "-o", "name").trim()

    private fun await(condition: () -> Boolean) {
        val untilNanos = System.nanoTime() + 120_000_000_000
        while (!condition()) {
            check(System.nanoTime() < untilNanos) { cluster.kubectl("get", "jobs,pods", "-o", "wide") }
            Thread.sleep(500)
        }
    }

    private companion object {
        const val OURS = "app.kubernetes.io/managed-by=threadgauge"
        const val SERVER = "10.96.0.80"
        const val RATE = 300L
        const val SECONDS = 5L
        const val LONG_SECONDS = 20L
        const val METRICS = 9464

        /** A Job of a killed run is deleted a minute after its pods have ended. */
        const val LEFT_SECONDS = 120L
        val IMAGE = "threadgauge:${Tree(projectRoot).version}"
        val home: Path = Files.createTempDirectory("threadgauge-cluster-")
        lateinit var cluster: Cluster

        @JvmStatic
        @BeforeAll
        fun up() {
            val missing = Cluster.missing()
            if (missing != null) System.err.println("NO CLUSTER HERE: $missing. Its tests are skipped.")
            assumeTrue(missing == null, missing)
            cluster = Cluster.up(Release.file("image-linux-x64.tar"), home)
            cluster.kubectl("apply", "-f", "-", input = server())
            cluster.kubectl("rollout", "status", "deployment/server", "--timeout=180s")
        }

        @JvmStatic
        @AfterAll
        fun down() {
            if (::cluster.isInitialized) cluster.close()
            home.toFile().deleteRecursively()
        }

        /** One of the servers of the image, at an address of its own. */
        fun server() = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: server}
            spec:
              selector: {matchLabels: {app: server}}
              template:
                metadata: {labels: {app: server}}
                spec:
                  containers:
                    - name: server
                      image: $IMAGE
                      command:
                        - /opt/threadgauge/runtime/bin/java
                        - -jar
                        - /opt/threadgauge/servers/stacks/ktor/target/ktor.jar
                        - -host=0.0.0.0
                        - -port=8080
                        - -P:stack.name=server
                      readinessProbe: {httpGet: {path: /hello, port: 8080}, periodSeconds: 1}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: server}
            spec: {clusterIP: $SERVER, selector: {app: server}, ports: [{port: 8080}]}
        """.trimIndent() + "\n"
    }
}
