package threadgauge.run.agent.cluster

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermissions
import java.time.Duration
import kotlin.io.path.exists
import kotlin.io.path.readLines
import kotlin.io.path.readText
import kotlin.io.path.setPosixFilePermissions
import kotlin.io.path.writeText
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.load.agent.link.AgentDied
import threadgauge.load.agent.link.AgentToken
import threadgauge.model.AgentHost
import threadgauge.model.KubernetesAgents
import threadgauge.model.failure.Failure
import threadgauge.model.failure.KubernetesFault
import threadgauge.run.Cancellation
import threadgauge.run.Cancelled
import threadgauge.wording.failure.words

/** With a program in place of kubectl that answers as a cluster would, and writes down what it was asked for. */
@Tag("processes")
class AgentJobTest {
    @TempDir
    lateinit var folder: Path

    private val cancellation = Cancellation()

    @Test
    fun `a Job is created, a way to each pod is opened, and nothing stays`() {
        answer("pods", pods(READY, READY))
        val heard = ArrayList<Int>()
        job().use { job ->
            val places = job.start { ready, _ -> heard += ready }
            places.map { it.at } shouldContainExactly listOf(AgentHost("agent-0"), AgentHost("agent-1"))
            places.map { it.via?.port } shouldContainExactly listOf(40_000, 40_001)
            forwarding().size shouldBe 2
            // The agents have the token that the run will prove.
            val secret = Json.parseToJsonElement(folder.resolve("secret.json").readText()).jsonObject
            val token = secret.getValue("stringData").jsonObject.getValue("token").jsonPrimitive.content
            val (nonce, der) = "n" to byteArrayOf(1)
            AgentToken.of(token)!!.proof(AgentToken.Role.LISTENER, der, nonce, nonce) shouldBe
                job.token.proof(AgentToken.Role.LISTENER, der, nonce, nonce)
            "${secret["metadata"]}" shouldContain "uid-of-job"
        }
        heard shouldContainExactly listOf(2)
        forwarding().shouldBeEmpty()
        calls().last() shouldBe
            "--namespace load delete job $NAME --ignore-not-found --cascade=foreground --timeout=30s"
    }

    @Test
    fun `a cluster that refuses is told in its own words, and the Job is deleted all the same`() {
        answer("refuse", "Error from server (Forbidden): jobs.batch is forbidden: User \"u\" cannot create\n")
        val fault = faultOf { it.start() }
        fault.shouldBeInstanceOf<KubernetesFault.Refused>().what shouldBe "create job"
        fault.detail shouldBe "Error from server (Forbidden): jobs.batch is forbidden: User \"u\" cannot create"
        calls().last() shouldContain "delete job"
        answer("refuse", "Error from server (NotFound): namespaces \"load\" not found\n")
        faultOf { it.start() }.words(null) shouldContain "kubectl create namespace load"
    }

    @Test
    fun `an image that is not there, a quota and a pod that ends are told at once`() {
        val noImage = """{"containerStatuses": [{"state": {"waiting": {"reason": "ImagePullBackOff"}}}]}"""
        answer("pods", pods(READY, noImage))
        faultOf { it.start() } shouldBe KubernetesFault.Pod("agent-1", "ImagePullBackOff", null)
        answer("pods", pods())
        answer("events", """{"items": [{"type": "Warning", "message": "exceeded quota: small"}]}""")
        faultOf { it.start() } shouldBe KubernetesFault.NoPods("exceeded quota: small")
        val ended = """{"phase": "Failed", "containerStatuses": [{"state": {"terminated": {"exitCode": 65}}}]}"""
        answer("pods", pods(READY, ended))
        answer("log", "The token in /var/run is too short.\n")
        faultOf { it.start() } shouldBe KubernetesFault.Ended("agent-1", 65, "The token in /var/run is too short.")
    }

    @Test
    fun `pods that do not become ready are waited for as long as was said`() {
        answer("pods", pods(READY, """{"phase": "Pending", "conditions": [{"type": "PodScheduled", "status": "False",
            "reason": "Unschedulable", "message": "Insufficient cpu."}]}"""))
        val heard = ArrayList<Pair<Int, String?>>()
        val fault = faultOf(Duration.ofMillis(900)) { it.start { ready, why -> heard += ready to why } }
            .shouldBeInstanceOf<KubernetesFault.Slow>()
        heard shouldContainExactly listOf(1 to "Unschedulable, Insufficient cpu.")
        fault.ready shouldBe 1
        fault.pods shouldBe 2
        fault.detail shouldBe "Unschedulable, Insufficient cpu."
        fault.words(null) shouldContain "Insufficient cpu. Ask for fewer pods"
    }

    @Test
    fun `a forward that ends says why there is no way`() {
        answer("pods", pods(READY, READY))
        answer("no-way", "error: unable to forward port because pod is not running\n")
        faultOf { it.start() } shouldBe
            KubernetesFault.NoWay("agent-0", "error: unable to forward port because pod is not running")
    }

    @Test
    fun `without kubectl there is a clear word`() {
        val job = AgentJob(
            PODS, AgentManifests(PODS, NAME, emptySet()), folder, cancellation, Kubectl(PODS, "no-such-kubectl"),
        )
        val died = shouldThrow<AgentDied> { job.use { it.start() } }
        died.failure shouldBe Failure.Kubernetes(KubernetesFault.NoProgram("no-such-kubectl"), null)
    }

    @Test
    fun `an interrupt while pods start ends it, and the Job is deleted`() {
        answer("pods", pods(PENDING, PENDING))
        shouldThrow<Cancelled> {
            cancellation.using(job()) { job -> job.start { _, _ -> cancellation.cancel() } }
        }
        calls().last() shouldContain "delete job"
    }

    private fun job(patience: Duration = Duration.ofSeconds(30)) = AgentJob(
        PODS, AgentManifests(PODS, NAME, setOf("shop")), folder.resolve("logs"), cancellation,
        Kubectl(PODS, "${program()}"), patience,
    )

    private fun faultOf(patience: Duration = Duration.ofSeconds(30), run: (AgentJob) -> Unit): KubernetesFault {
        val died = shouldThrow<AgentDied> { job(patience).use(run) }
        forwarding().shouldBeEmpty()
        return died.failure.shouldBeInstanceOf<Failure.Kubernetes>().fault
    }

    private fun answer(name: String, text: String) = folder.resolve(name).writeText(text)

    private fun calls(): List<String> = folder.resolve("calls").readLines()

    /** Processes that forward a port and are alive. */
    private fun forwarding(): List<Long> = folder.resolve("forwards").takeIf { it.exists() }?.readLines().orEmpty()
        .map { it.toLong() }.filter { pid -> ProcessHandle.of(pid).map { it.isAlive }.orElse(false) }

    private fun program(): Path = folder.resolve("kubectl").also { file ->
        if (file.exists()) return@also
        file.writeText(
            """
            #!/bin/sh
            cd '$folder' || exit 1
            echo "$*" >> calls
            case "$*" in
                *"create -f - -o json") [ ! -e refuse ] || { cat refuse >&2; exit 1; }
                    cat > job.json; echo '{"metadata": {"uid": "uid-of-job"}}' ;;
                *"create -f -") cat > secret.json ;;
                *"get pods"*) cat pods ;;
                *"get events"*) cat events ;;
                *" logs "*) cat log ;;
                *port-forward*) [ ! -e no-way ] || { cat no-way >&2; exit 1; }
                    number=$(echo "$*" | sed 's/.*agent-\([0-9]*\).*/\1/')
                    echo ${'$'}${'$'} >> forwards
                    echo "Forwarding from 127.0.0.1:4000${'$'}number -> 7400"
                    exec sleep 600 ;;
            esac
            """.trimIndent() + "\n",
        )
        file.setPosixFilePermissions(PosixFilePermissions.fromString("rwx------"))
    }

    private fun pods(vararg statuses: String) = statuses.withIndex().joinToString(
        prefix = """{"items": [""", postfix = "]}",
    ) { (index, status) ->
        """{"metadata": {"name": "agent-$index",
            "annotations": {"batch.kubernetes.io/job-completion-index": "$index"}}, "status": $status}"""
    }

    private companion object {
        const val NAME = "threadgauge-a1"
        val PODS = KubernetesAgents(2, "registry.example.org/threadgauge:0.2.0", namespace = "load")
        const val READY = """{"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}"""
        const val PENDING = """{"phase": "Pending"}"""
    }
}
