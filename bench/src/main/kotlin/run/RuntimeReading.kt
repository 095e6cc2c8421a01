package threadgauge.run

import kotlinx.serialization.json.Json
import threadgauge.model.RuntimeReport
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration

/** What the server at [base] says of itself at `GET /runtime`. Fields that this version does not know are passed over. */
internal fun readRuntime(base: URI): RuntimeReport = HttpClient.newHttpClient().use { client ->
    val request = HttpRequest.newBuilder(base.resolve("/runtime")).timeout(Duration.ofSeconds(10)).build()
    json.decodeFromString(RuntimeReport.serializer(), client.send(request, HttpResponse.BodyHandlers.ofString()).body())
}

private val json = Json { ignoreUnknownKeys = true }
