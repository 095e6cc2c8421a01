package threadgauge.probe.profile.dump

import java.io.InputStream
import kotlinx.serialization.KSerializer
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.SerializationException
import kotlinx.serialization.builtins.ListSerializer
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.descriptors.buildClassSerialDescriptor
import kotlinx.serialization.encoding.CompositeDecoder
import kotlinx.serialization.encoding.Decoder
import kotlinx.serialization.encoding.Encoder
import kotlinx.serialization.encoding.decodeStructure
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.decodeFromStream
import threadgauge.probe.profile.plainType

/** A thread in a dump of `HotSpotDiagnosticMXBean.dumpThreads`, as JSON has it. */
@Serializable
internal class DumpedThread(
    val tid: String,
    val name: String = "",
    /** Since JDK 24, as are the next four. */
    val virtual: Boolean = false,
    val state: String? = null,
    private val parkBlocker: Blocker? = null,
    private val blockedOn: String? = null,
    private val waitingOn: String? = null,
    val stack: List<String> = emptyList(),
) {
    /** Class of the object that it waits for; null without one. */
    val on: String? get() = (parkBlocker?.on ?: blockedOn ?: waitingOn)?.substringBefore('@')?.let(::plainType)

    /** The object that a thread is parked for, as `java.util.concurrent.Semaphore$NonfairSync@27b4f4e8`. */
    @Serializable
    internal class Blocker(@SerialName("object") val on: String? = null)
}

/**
 * Calls [use] with each thread of the dump in [stream], which holds only one of them in memory at a time: a service may
 * have ten thousand. Throws `IOException` and [SerializationException].
 */
internal fun readDump(stream: InputStream, use: (DumpedThread) -> Unit) {
    val threads = Within("threads", Each(DumpedThread.serializer(), use))
    json.decodeFromStream(Within("threadDump", Within("threadContainers", Each(threads) {})), stream)
}

/** Reads the value of [key] of an object, and skips the others. */
private class Within(key: String, private val inner: KSerializer<Unit>) : KSerializer<Unit> {
    override val descriptor: SerialDescriptor =
        buildClassSerialDescriptor("threadgauge.dump.$key") { element(key, inner.descriptor) }

    override fun deserialize(decoder: Decoder) = decoder.decodeStructure(descriptor) {
        while (decodeElementIndex(descriptor) != CompositeDecoder.DECODE_DONE) {
            decodeSerializableElement(descriptor, 0, inner)
        }
    }

    override fun serialize(encoder: Encoder, value: Unit) = error("dumps are only read")
}

/** Reads the members of a list one after the other, and keeps none. */
private class Each<T>(private val member: KSerializer<T>, private val use: (T) -> Unit) : KSerializer<Unit> {
    override val descriptor: SerialDescriptor = ListSerializer(member).descriptor

    override fun deserialize(decoder: Decoder) = decoder.decodeStructure(descriptor) {
        while (true) {
            val index = decodeElementIndex(descriptor)
            if (index == CompositeDecoder.DECODE_DONE) break
            use(decodeSerializableElement(descriptor, index, member))
        }
    }

    override fun serialize(encoder: Encoder, value: Unit) = error("dumps are only read")
}

/** Numbers are texts in some versions, and keys are added in others. */
private val json = Json {
    ignoreUnknownKeys = true
    isLenient = true
}
