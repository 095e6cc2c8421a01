package threadgauge.run.launch

import java.io.IOException
import java.net.http.HttpResponse
import java.time.Duration
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import threadgauge.contract.client.Access
import threadgauge.model.RuntimeReport

/**
 * The description that the server of [access] gives at `GET /runtime`. Fields that this version does not know are
 * ignored. Throws `IOException`, also if the answer is no such description.
 */
internal fun readRuntime(access: Access): RuntimeReport = access.newClient(PATIENCE).use { client ->
    val request = access.request("/runtime").timeout(PATIENCE).build()
    val answer = client.send(request, HttpResponse.BodyHandlers.ofString()).body()
    try {
        json.decodeFromString(RuntimeReport.serializer(), answer)
    } catch (broken: SerializationException) {
        throw IOException(broken)
    }
}

private val PATIENCE: Duration = Duration.ofSeconds(10)
private val json = Json { ignoreUnknownKeys = true }
