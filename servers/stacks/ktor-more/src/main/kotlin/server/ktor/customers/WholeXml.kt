package threadgauge.server.ktor.customers

import kotlinx.serialization.DeserializationStrategy
import kotlinx.serialization.SerializationException
import kotlinx.serialization.StringFormat
import nl.adaptivity.xmlutil.EventType
import nl.adaptivity.xmlutil.serialization.XML
import nl.adaptivity.xmlutil.xmlStreaming

/**
 * Reads XML to its end, and rejects anything unknown. By default the library ignores unknown entities and a second
 * root.
 */
internal class WholeXml(private val xml: XML) : StringFormat by xml {
    override fun <T> decodeFromString(deserializer: DeserializationStrategy<T>, string: String): T {
        val reader = xmlStreaming.newGenericReader(string, expandEntities = true)
        return xml.decodeFromReader(deserializer, reader).also {
            while (reader.hasNext()) {
                if (reader.next() in ROOTS) throw SerializationException("more than one root")
            }
        }
    }

    private companion object {
        val ROOTS = setOf(EventType.START_ELEMENT, EventType.TEXT, EventType.CDSECT)
    }
}
