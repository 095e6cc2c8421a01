package threadgauge.model.profile

import kotlinx.serialization.KSerializer
import kotlinx.serialization.SerializationException
import kotlinx.serialization.descriptors.PrimitiveKind
import kotlinx.serialization.descriptors.PrimitiveSerialDescriptor
import kotlinx.serialization.encoding.Decoder
import kotlinx.serialization.encoding.Encoder

/**
 * A [Frame] as one line of a record: `shop.Endpoints.block(Endpoints.kt:31)`, as [StackTraceElement] prints it. File
 * and line are left out where they are unknown: `shop.Endpoints.block(:31)`, `shop.Endpoints.block()`. A record has
 * thousands of frames, and as objects they would take three times as much room.
 */
internal object FrameText : KSerializer<Frame> {
    override val descriptor = PrimitiveSerialDescriptor("threadgauge.model.profile.Frame", PrimitiveKind.STRING)

    override fun serialize(encoder: Encoder, value: Frame) = encoder.encodeString(textOf(value))

    override fun deserialize(decoder: Decoder): Frame = decoder.decodeString().let {
        frameOf(it) ?: throw SerializationException(it)
    }

    private fun textOf(frame: Frame): String {
        val line = frame.line?.let { ":$it" }.orEmpty()
        return "${frame.type}.${frame.method}(${frame.file.orEmpty()}$line)"
    }

    /** Null where [text] is no frame. Neither the name of a method nor that of a file has a bracket at its end. */
    private fun frameOf(text: String): Frame? {
        val bracket = text.lastIndexOf('(')
        val dot = if (bracket < 0) -1 else text.lastIndexOf('.', bracket)
        if (dot < 0 || !text.endsWith(')')) return null
        val source = text.substring(bracket + 1, text.length - 1)
        return Frame(
            type = text.substring(0, dot),
            method = text.substring(dot + 1, bracket),
            line = source.substringAfterLast(':', "").toIntOrNull(),
            file = source.substringBeforeLast(':').ifEmpty { null },
        )
    }
}
