package threadgauge.run.launch

import java.net.http.HttpResponse
import java.time.Duration
import kotlinx.serialization.json.Json
import threadgauge.contract.client.Access
import threadgauge.model.RuntimeReport

/**
 * What the server of [access] says of itself at `GET /runtime`. Fields that this version does not know are passed over.
 */
internal fun readRuntime(access: Access): RuntimeReport = access.newClient(PATIENCE).use { client ->
    val request = access.request("/runtime").timeout(PATIENCE).build()
    json.decodeFromString(RuntimeReport.serializer(), client.send(request, HttpResponse.BodyHandlers.ofString()).body())
}

private val PATIENCE: Duration = Duration.ofSeconds(10)
private val json = Json { ignoreUnknownKeys = true }
