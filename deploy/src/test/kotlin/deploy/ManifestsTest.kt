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
import java.nio.file.Path
import kotlin.io.path.readText
import org.junit.jupiter.api.Test
import org.springframework.boot.context.properties.bind.Binder
import org.springframework.boot.context.properties.source.ConfigurationPropertySources
import org.springframework.core.env.StandardEnvironment
import org.springframework.core.env.SystemEnvironmentPropertySource
import org.yaml.snakeyaml.Yaml
import threadgauge.tickets.service.Settings
import threadgauge.tickets.service.Strategies

/** Each manifest is valid for the Kubernetes API, and they fit each other and the service. */
class ManifestsTest {
    private val manifests = Manifests.read(Path.of("kubernetes"))
    private val tickets = manifests.only<V1Deployment>("tickets")
    private val settings = manifests.only<V1ConfigMap>("tickets").data.orEmpty()

    @Test
    fun `every document is valid for the API`() {
        manifests.documents.map { it.kind }.distinct() shouldContainAll listOf(
            "Deployment", "StatefulSet", "Service", "Ingress", "PodDisruptionBudget", "HorizontalPodAutoscaler",
            "CronJob",
        )
        manifests.documents.forEach { withClue(it.name) { it.mistake() shouldBe null } }
    }

    @Test
    fun `unknown and missing keys are detected`() {
        val text = Path.of("kubernetes/40-service.yaml").readText().substringBefore("\n---")
        fun rejection(from: String, to: String): String? {
            val broken = Document("x", text.replace(from, to).also { it shouldNotBe text })
            return shouldThrow<IllegalArgumentException> { broken.checked() }.message
        }
        rejection("maxSurge", "maxSurges") shouldContain "maxSurges"
        rejection("  selector:\n    matchLabels:\n      app: tickets\n", "") shouldContain "selector"
        rejection("apps/v1", "apps/v7") shouldContain "apps/v7"
    }

    @Test
    fun `selectors match the intended pods`() {
        val pods = manifests.all<V1StatefulSet>().associate { it.metadata!!.name to it.spec!!.template } +
            ("tickets" to tickets.spec!!.template)
        fun labels(template: V1PodTemplateSpec?) = template!!.metadata!!.labels.orEmpty()
        manifests.all<V1StatefulSet>().forEach { labels(it.spec!!.template) shouldBe it.spec!!.selector.matchLabels }
        labels(tickets.spec!!.template) shouldBe tickets.spec!!.selector.matchLabels
        manifests.all<V1Service>().forEach { service ->
            withClue(service.metadata!!.name) { labels(pods[service.metadata!!.name]) shouldBe service.spec!!.selector }
        }
        manifests.only<V1PodDisruptionBudget>("tickets").spec!!.selector!!.matchLabels shouldBe
            tickets.spec!!.selector.matchLabels
    }

    @Test
    fun `everything that a pod refers to exists`() {
        val templates = manifests.all<V1StatefulSet>().map { it.spec!!.template } + tickets.spec!!.template
        val containers = templates.flatMap { it.spec!!.containers }
        val maps = containers.flatMap { it.envFrom.orEmpty() }.mapNotNull { it.configMapRef?.name }
        maps.distinct() shouldBe manifests.all<V1ConfigMap>().map { it.metadata!!.name }
        // The secret is created by hand, as the guide says, so that it is in no repository.
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
    fun `the ingress exposes what clients need, and nothing else`() {
        val open = manifests.only<V1Ingress>("tickets").spec!!.rules!!.single().http!!.paths
        fun isOpen(path: String) =
            open.any { path == it.path || it.pathType == "Prefix" && path.startsWith("${it.path}/") }
        val text = Settings::class.java.getResource("/static/openapi.yaml")!!.readText()
        val api = Yaml().load<Map<String, Map<String, Map<String, Map<String, Any>>>>>(text)
        val paths = api.getValue("paths")
            .mapValues { (_, requests) -> requests.values.first()["tags"] == listOf("about") }
        paths.filterValues { it }.keys.filter(::isOpen).shouldBeEmpty()
        paths.filterValues { !it }.keys.filterNot(::isOpen).shouldBeEmpty()
        paths.values.distinct().size shouldBe 2
        listOf("/", "/index.html", "/sale.js").filter(::isOpen).shouldBeEmpty()
    }

    @Test
    fun `only the services may connect to the stores`() {
        manifests.all<V1StatefulSet>().forEach { store ->
            val policy = manifests.only<V1NetworkPolicy>(store.metadata!!.name!!).spec!!
            policy.podSelector!!.matchLabels shouldBe store.spec!!.selector.matchLabels
            policy.policyTypes shouldBe listOf("Ingress")
            val rule = policy.ingress!!.single()
            rule.from!!.single().podSelector!!.matchLabels shouldBe tickets.spec!!.selector.matchLabels
            val open = store.spec!!.template.spec!!.containers.single().ports!!.map { it.containerPort }
            rule.ports!!.map { it.port!!.intValue } shouldBe open
        }
    }

    @Test
    fun `the service knows all settings`() {
        val environment = StandardEnvironment()
        val container = tickets.spec!!.template.spec!!.containers.single()
        val variables = settings + container.env!!.associate { it.name to (it.value ?: "secret") }
        environment.propertySources.addFirst(SystemEnvironmentPropertySource("systemEnvironment", variables))
        ConfigurationPropertySources.attach(environment)
        val read = Binder.get(environment).bind("tickets", Settings::class.java).get()
        read.database.url shouldBe settings["TICKETS_DATABASE_URL"]
        read.database.user shouldBe "tickets"
        read.database.password shouldBe "secret"
        read.database.connections shouldBe settings["TICKETS_DATABASE_CONNECTIONS"]!!.toInt()
        read.database.eventConnections shouldBe settings["TICKETS_DATABASE_EVENTCONNECTIONS"]!!.toInt()
        read.adminToken shouldBe "secret"
        read.queue.max shouldBe settings["TICKETS_QUEUE_MAX"]!!.toInt()
        read.redis shouldBe settings["TICKETS_REDIS"]
        Strategies.ALL shouldContain read.strategy
        // A setting that is not read above would be unknown.
        val known = listOf("URL", "USER", "PASSWORD", "CONNECTIONS", "EVENTCONNECTIONS").map { "DATABASE_$it" } +
            listOf("ADMINTOKEN", "QUEUE_MAX")
        val names = variables.keys.filter { it.startsWith("TICKETS_") }.map { it.removePrefix("TICKETS_") }
        (names - known - "REDIS" - "STRATEGY").shouldBeEmpty()
        settings["SERVER_PORT"] shouldBe "${container.ports!!.single().containerPort}"
    }

    @Test
    fun `the maximum of services has no more connections than PostgreSQL allows`() {
        val maxReplicas = manifests.only<V2HorizontalPodAutoscaler>("tickets").spec!!.maxReplicas
        val each = listOf("CONNECTIONS", "EVENTCONNECTIONS").sumOf { settings["TICKETS_DATABASE_$it"]!!.toInt() }
        // PostgreSQL reserves three for its superuser, and during an update there is one more service.
        (maxReplicas + 1) * each shouldBeLessThanOrEqual POSTGRESQL_CONNECTIONS - 3
    }

    @Test
    fun `scaling applies to the services, and the minimum is higher before noon than after`() {
        val scaler = manifests.only<V2HorizontalPodAutoscaler>("tickets").spec!!
        scaler.scaleTargetRef.name shouldBe tickets.metadata!!.name
        val minimum = manifests.all<V1CronJob>().associate { job ->
            val arguments = job.spec!!.jobTemplate.spec!!.template.spec!!.containers.single().args!!
            arguments.take(3) shouldBe listOf("patch", "hpa", "tickets")
            job.metadata!!.name to Regex("\"minReplicas\": (\\d+)").find(arguments.last())!!.groupValues[1].toInt()
        }
        minimum.getValue("after-noon") shouldBe scaler.minReplicas
        minimum.getValue("before-noon") shouldBeLessThanOrEqual scaler.maxReplicas
        (minimum.getValue("before-noon") > minimum.getValue("after-noon")) shouldBe true
    }

    @Test
    fun `no service is killed before all waiting requests are answered`() {
        val pod = tickets.spec!!.template.spec!!
        val pause = pod.containers.single().lifecycle!!.preStop!!.sleep!!.seconds
        // The pause, the shutdown of the web server and that of the queue: see application.yaml and Draining.
        (pause + WEB_SERVER_SECONDS + QUEUE_SECONDS).toInt() shouldBeLessThanOrEqual
            pod.terminationGracePeriodSeconds!!.toInt()
    }

    private companion object {
        /** Default of `max_connections` (PostgreSQL manual, section 19.3). */
        const val POSTGRESQL_CONNECTIONS = 100
        const val WEB_SERVER_SECONDS = 20L
        const val QUEUE_SECONDS = 15L
    }
}
