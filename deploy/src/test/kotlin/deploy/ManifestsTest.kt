package threadgauge.deploy

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.kubernetes.client.openapi.models.V1ConfigMap
import io.kubernetes.client.openapi.models.V1CronJob
import io.kubernetes.client.openapi.models.V1Deployment
import io.kubernetes.client.openapi.models.V1Ingress
import io.kubernetes.client.openapi.models.V1NetworkPolicy
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget
import io.kubernetes.client.openapi.models.V1PodTemplateSpec
import io.kubernetes.client.openapi.models.V1Service
import io.kubernetes.client.openapi.models.V1StatefulSet
import io.kubernetes.client.openapi.models.V2HorizontalPodAutoscaler
import org.junit.jupiter.api.Test
import org.springframework.boot.context.properties.bind.Binder
import org.springframework.boot.context.properties.source.ConfigurationPropertySources
import org.springframework.core.env.StandardEnvironment
import org.springframework.core.env.SystemEnvironmentPropertySource
import org.yaml.snakeyaml.Yaml
import threadgauge.tickets.service.Settings
import threadgauge.tickets.service.Strategies
import java.nio.file.Path
import kotlin.io.path.readText

/** The files for Kubernetes: each document is one that its API takes, and together they fit each other and the service. */
class ManifestsTest {
    private val manifests = Manifests.read(Path.of("kubernetes"))
    private val tickets = manifests.only<V1Deployment>("tickets")
    private val settings = manifests.only<V1ConfigMap>("tickets").data.orEmpty()

    @Test
    fun `every document is one that the API takes`() {
        manifests.documents.map { it.kind }.distinct() shouldContainAll listOf(
            "Deployment", "StatefulSet", "Service", "Ingress", "PodDisruptionBudget", "HorizontalPodAutoscaler", "CronJob",
        )
        manifests.documents.forEach { withClue(it.place) { it.mistake() shouldBe null } }
    }

    @Test
    fun `a key that the API does not know, and one that is missing, are found`() {
        val text = Path.of("kubernetes/40-service.yaml").readText().substringBefore("\n---")
        fun refused(from: String, to: String): String? {
            val broken = Document("x", text.replace(from, to).also { it shouldNotBe text })
            return shouldThrow<IllegalArgumentException> { broken.checked() }.message
        }
        refused("maxSurge", "maxSurges") shouldContain "maxSurges"
        refused("  selector:\n    matchLabels:\n      app: tickets\n", "") shouldContain "selector"
        refused("apps/v1", "apps/v7") shouldContain "apps/v7"
    }

    @Test
    fun `selectors choose the pods that are meant`() {
        val pods = manifests.all<V1StatefulSet>().associate { it.metadata!!.name to it.spec!!.template } +
            ("tickets" to tickets.spec!!.template)
        fun labels(template: V1PodTemplateSpec?) = template!!.metadata!!.labels.orEmpty()
        manifests.all<V1StatefulSet>().forEach { labels(it.spec!!.template) shouldBe it.spec!!.selector.matchLabels }
        labels(tickets.spec!!.template) shouldBe tickets.spec!!.selector.matchLabels
        manifests.all<V1Service>().forEach { service ->
            withClue(service.metadata!!.name) { labels(pods[service.metadata!!.name]) shouldBe service.spec!!.selector }
        }
        manifests.only<V1PodDisruptionBudget>("tickets").spec!!.selector!!.matchLabels shouldBe tickets.spec!!.selector.matchLabels
    }

    @Test
    fun `everything that a pod is told of is there`() {
        val templates = manifests.all<V1StatefulSet>().map { it.spec!!.template } + tickets.spec!!.template
        val containers = templates.flatMap { it.spec!!.containers }
        val maps = containers.flatMap { it.envFrom.orEmpty() }.mapNotNull { it.configMapRef?.name }
        maps.distinct() shouldBe manifests.all<V1ConfigMap>().map { it.metadata!!.name }
        // Made by hand, as the guide says, because it holds what nobody else may know.
        val guide = Path.of("../docs/guides/kubernetes.md").readText()
        containers.flatMap { it.env.orEmpty() }.mapNotNull { it.valueFrom?.secretKeyRef }.forEach { secret ->
            guide shouldContain "create secret generic ${secret.name}"
            guide shouldContain "--from-literal=${secret.key}="
        }
        val services = manifests.all<V1Service>().associateBy { it.metadata!!.name }
        manifests.all<V1Ingress>().flatMap { it.spec!!.rules!! }.flatMap { it.http!!.paths }.forEach { path ->
            val backend = path.backend.service!!
            services.getValue(backend.name).spec!!.ports!!.map { it.name } shouldContain backend.port!!.name
        }
        listOf(settings.getValue("TICKETS_DATABASE_URL"), settings.getValue("TICKETS_REDIS")).forEach { address ->
            val (host, port) = Regex("//([a-z]+):(\\d+)").find(address)!!.destructured
            services.getValue(host).spec!!.ports!!.map { it.port } shouldContain port.toInt()
        }
    }

    @Test
    fun `the world may ask what callers need, and nothing else`() {
        val open = manifests.only<V1Ingress>("tickets").spec!!.rules!!.single().http!!.paths
        fun isOpen(path: String) = open.any { path == it.path || it.pathType == "Prefix" && path.startsWith("${it.path}/") }
        val text = Settings::class.java.getResource("/static/openapi.yaml")!!.readText()
        val api = Yaml().load<Map<String, Map<String, Map<String, Map<String, Any>>>>>(text)
        val paths = api.getValue("paths").mapValues { (_, requests) -> requests.values.first()["tags"] == listOf("about") }
        paths.filterValues { it }.keys.filter(::isOpen).shouldBeEmpty()
        paths.filterValues { !it }.keys.filterNot(::isOpen).shouldBeEmpty()
        paths.values.distinct().size shouldBe 2
        listOf("/", "/index.html", "/sale.js").filter(::isOpen).shouldBeEmpty()
    }

    @Test
    fun `what keeps something is asked by the services that sell, and by nobody else`() {
        manifests.all<V1StatefulSet>().forEach { store ->
            val policy = manifests.only<V1NetworkPolicy>(store.metadata!!.name!!).spec!!
            policy.podSelector!!.matchLabels shouldBe store.spec!!.selector.matchLabels
            policy.policyTypes shouldBe listOf("Ingress")
            val way = policy.ingress!!.single()
            way.from!!.single().podSelector!!.matchLabels shouldBe tickets.spec!!.selector.matchLabels
            val open = store.spec!!.template.spec!!.containers.single().ports!!.map { it.containerPort }
            way.ports!!.map { it.port!!.intValue } shouldBe open
        }
    }

    @Test
    fun `the service understands its settings, all of them`() {
        val environment = StandardEnvironment()
        val container = tickets.spec!!.template.spec!!.containers.single()
        val told = settings + container.env!!.associate { it.name to (it.value ?: "secret") }
        environment.propertySources.addFirst(SystemEnvironmentPropertySource("systemEnvironment", told))
        ConfigurationPropertySources.attach(environment)
        val read = Binder.get(environment).bind("tickets", Settings::class.java).get()
        read.database.url shouldBe settings["TICKETS_DATABASE_URL"]
        read.database.user shouldBe "tickets"
        read.database.password shouldBe "secret"
        read.database.connections shouldBe settings["TICKETS_DATABASE_CONNECTIONS"]!!.toInt()
        read.database.eventConnections shouldBe settings["TICKETS_DATABASE_DESKCONNECTIONS"]!!.toInt()
        read.adminToken shouldBe "secret"
        read.queue.max shouldBe settings["TICKETS_QUEUE_MOST"]!!.toInt()
        read.redis shouldBe settings["TICKETS_REDIS"]
        Strategies.ALL shouldContain read.strategy
        // What is not read above would be a word that nobody understands.
        val understood = listOf("URL", "USER", "PASSWORD", "CONNECTIONS", "DESKCONNECTIONS").map { "DATABASE_$it" } +
            listOf("ADMINTOKEN", "QUEUE_MOST")
        val words = told.keys.filter { it.startsWith("TICKETS_") }.map { it.removePrefix("TICKETS_") }
        (words - understood - "REDIS" - "STRATEGY").shouldBeEmpty()
        settings["SERVER_PORT"] shouldBe "${container.ports!!.single().containerPort}"
    }

    @Test
    fun `as many services as there may be have no more connections than PostgreSQL allows`() {
        val most = manifests.only<V2HorizontalPodAutoscaler>("tickets").spec!!.maxReplicas
        val each = listOf("CONNECTIONS", "DESKCONNECTIONS").sumOf { settings["TICKETS_DATABASE_$it"]!!.toInt() }
        // PostgreSQL keeps three for its superuser, and while an update runs there is one service more.
        (most + 1) * each shouldBeLessThanOrEqual POSTGRESQL_CONNECTIONS - 3
    }

    @Test
    fun `scaling concerns the services that there are, before noon more than after`() {
        val scaler = manifests.only<V2HorizontalPodAutoscaler>("tickets").spec!!
        scaler.scaleTargetRef.name shouldBe tickets.metadata!!.name
        val least = manifests.all<V1CronJob>().associate { job ->
            val words = job.spec!!.jobTemplate.spec!!.template.spec!!.containers.single().args!!
            words.take(3) shouldBe listOf("patch", "hpa", "tickets")
            job.metadata!!.name to Regex("\"minReplicas\": (\\d+)").find(words.last())!!.groupValues[1].toInt()
        }
        least.getValue("after-noon") shouldBe scaler.minReplicas
        least.getValue("before-noon") shouldBeLessThanOrEqual scaler.maxReplicas
        (least.getValue("before-noon") > least.getValue("after-noon")) shouldBe true
    }

    @Test
    fun `nobody is killed before everybody who waits has an answer`() {
        val pod = tickets.spec!!.template.spec!!
        val pause = pod.containers.single().lifecycle!!.preStop!!.sleep!!.seconds
        // The web server's own end, the queue's, and the pause before both: see application.yaml and Draining.
        (pause + WEB_SERVER_SECONDS + QUEUE_SECONDS).toInt() shouldBeLessThanOrEqual pod.terminationGracePeriodSeconds!!.toInt()
    }

    private companion object {
        /** `max_connections` as shipped (PostgreSQL manual, section 19.3). */
        const val POSTGRESQL_CONNECTIONS = 100
        const val WEB_SERVER_SECONDS = 20L
        const val QUEUE_SECONDS = 15L
    }
}
