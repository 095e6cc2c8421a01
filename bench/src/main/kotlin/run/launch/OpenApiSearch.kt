package threadgauge.run.launch

import java.io.IOException
import java.net.URI
import java.net.URISyntaxException
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration

/** Looks for the OpenAPI document of the service at [host] and [port], over plain HTTP. */
internal class OpenApiSearch(private val host: String, private val port: Int) {
    /** A document and the path at which it was. */
    class Found(val path: String, val text: String)

    /** Null where none of the usual paths has one. Takes some seconds at most. */
    fun find(): Found? = HttpClient.newBuilder().connectTimeout(PATIENCE).build().use { client ->
        PATHS.firstNotNullOfOrNull { path -> ask(client, path)?.let { Found(path, it) } }
    }

    private fun ask(client: HttpClient, path: String): String? = try {
        val place = if (':' in host) "[$host]" else host
        val request = HttpRequest.newBuilder(URI("http://$place:$port$path")).timeout(PATIENCE)
            .header("Accept", "application/json, application/yaml;q=0.9").build()
        val answer = client.send(request, HttpResponse.BodyHandlers.ofString())
        answer.body().takeIf { answer.statusCode() == OK && IS_OPEN_API.containsMatchIn(it.take(LOOKED_AT)) }
    } catch (_: IOException) {
        null
    } catch (_: URISyntaxException) {
        null
    }

    private companion object {
        val PATIENCE: Duration = Duration.ofSeconds(3)
        const val OK = 200
        const val LOOKED_AT = 2_000
        val IS_OPEN_API = Regex("\"?openapi\"?\\s*:\\s*[\"']?3")

        /** springdoc; many; SmallRye and Quarkus; Micronaut and Ktor; others. */
        val PATHS = listOf(
            "/v3/api-docs", "/openapi.json", "/openapi.yaml", "/openapi", "/q/openapi?format=json",
            "/swagger/openapi.json", "/api-docs", "/swagger.json", "/api/openapi.json", "/docs/openapi.json",
        )
    }
}
