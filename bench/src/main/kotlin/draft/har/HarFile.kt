package threadgauge.draft.har

import java.util.Base64
import kotlinx.serialization.Serializable
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import threadgauge.draft.DraftFailed

/** A recording of a browser: HTTP Archive 1.2, as far as it is used here. */
@Serializable
internal class HarFile(val log: Log) {
    @Serializable
    class Log(val entries: List<Entry>)

    @Serializable
    class Entry(
        /** ISO 8601. */
        val startedDateTime: String,
        /** Milliseconds. */
        val time: Double = 0.0,
        val request: Request,
        val response: Response,
    )

    @Serializable
    class Request(
        val method: String,
        val url: String,
        val headers: List<Pair> = emptyList(),
        val postData: PostData? = null,
    )

    @Serializable
    class Response(val status: Int = 0, val headers: List<Pair> = emptyList(), val content: Content = Content())

    @Serializable
    class Pair(val name: String, val value: String = "")

    @Serializable
    class PostData(val mimeType: String = "", val text: String? = null)

    @Serializable
    class Content(val mimeType: String = "", val text: String? = null, val encoding: String? = null) {
        /** Null where the browser did not keep it. */
        val plain: String? get() = when {
            text == null -> null
            encoding == "base64" -> runCatching { String(Base64.getDecoder().decode(text)) }.getOrNull()
            else -> text
        }
    }

    companion object {
        private val format = Json { ignoreUnknownKeys = true; coerceInputValues = true }

        /** Throws [DraftFailed]. */
        fun of(text: String): HarFile = try {
            format.decodeFromString(serializer(), text.removePrefix("\ufeff"))
        } catch (broken: SerializationException) {
            val why = broken.message.orEmpty().lineSequence().first()
            throw DraftFailed("It is no recording in the HAR format: $why. Save one in the network tab of a browser.")
        }
    }
}

/** The value of a header, whatever its case; null without it. */
internal fun List<HarFile.Pair>.value(name: String): String? =
    firstOrNull { it.name.equals(name, ignoreCase = true) }?.value
