package threadgauge.probe.profile.pool

import java.io.IOException
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import threadgauge.model.profile.Pool

/**
 * Reads the pools that [service], such as `http://127.0.0.1:8080`, reports by HTTP: as a page for Prometheus, or as
 * Spring Boot's actuator. A service without them is asked once for each of the usual paths. Belongs to one thread.
 */
internal class MetricsReader(private val service: URI) : PoolSource, AutoCloseable {
    private val client = HttpClient.newBuilder().connectTimeout(PATIENCE).build()
    private val readings = ArrayList<List<Metric>>()
    private var ask: (() -> List<Metric>)? = null
    private var calls = 0

    override fun find() {
        val page = PAGES.firstOrNull { path -> pageAt(path)?.any { it.isOfPool } == true }
        val names = if (page == null) actuatorNames() else emptySet()
        ask = when {
            page != null -> ({ pageAt(page).orEmpty().filter { it.isOfPool } })
            names.isNotEmpty() -> ({ names.mapNotNull(::actuatorMetric) })
            else -> null
        }
    }

    /** Not each time: a page of all metrics is work for the service. */
    override fun read() {
        val known = ask ?: return
        if (calls++ % EVERY == 0) readings += known()
    }

    override fun pools(): List<Pool> = poolsOf(readings)

    override fun close() = client.close()

    private fun pageAt(path: String): List<Metric>? = get(path)?.let(::metricsOf)

    private fun actuatorNames(): Set<String> = runCatching {
        val all = Json.parseToJsonElement(get(ACTUATOR) ?: return emptySet()).jsonObject.getValue("names").jsonArray
        all.map { it.jsonPrimitive.content }.filterTo(LinkedHashSet()) { Metric(promName(it), "", 0.0).isOfPool }
    }.getOrDefault(emptySet())

    /** The sum over all pools of a kind, because each further one would be a further request. */
    private fun actuatorMetric(name: String): Metric? = runCatching {
        val answer = Json.parseToJsonElement(get("$ACTUATOR/$name") ?: return null).jsonObject
        val tags = answer["availableTags"]?.jsonArray.orEmpty().map { it.jsonObject }
            .filter { it.getValue("tag").jsonPrimitive.content in NAMING_LABELS }
            .flatMap { it.getValue("values").jsonArray }.map { it.jsonPrimitive.content }
        val value = answer.getValue("measurements").jsonArray.first().jsonObject.getValue("value")
        Metric(promName(name), tags.joinToString(), value.jsonPrimitive.content.toDouble())
    }.getOrNull()

    private fun promName(name: String) = name.replace('.', '_')

    /** Null for any answer but 200, and for none. */
    private fun get(path: String): String? = try {
        val request = HttpRequest.newBuilder(service.resolve(path)).timeout(PATIENCE).build()
        val answer = client.send(request, HttpResponse.BodyHandlers.ofInputStream())
        answer.body().use { body ->
            if (answer.statusCode() == OK) body.readNBytes(MAX_BYTES).decodeToString() else null
        }
    } catch (_: IOException) {
        null
    }

    private companion object {
        val PATIENCE: Duration = Duration.ofSeconds(2)
        const val OK = 200
        const val MAX_BYTES = 5_000_000
        const val EVERY = 3
        const val ACTUATOR = "/actuator/metrics"

        /** Spring Boot; Ktor, Helidon, Dropwizard and many others; Quarkus. */
        val PAGES = listOf("/actuator/prometheus", "/metrics", "/q/metrics")
    }
}
