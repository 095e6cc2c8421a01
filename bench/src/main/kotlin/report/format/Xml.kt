package threadgauge.report.format

import java.io.StringWriter
import javax.xml.stream.XMLOutputFactory
import javax.xml.stream.XMLStreamWriter

/** A document in XML 1.0, UTF-8, of what [write] writes. */
internal fun xmlDocument(write: XMLStreamWriter.() -> Unit): String {
    val text = StringWriter()
    val xml = XMLOutputFactory.newFactory().createXMLStreamWriter(text)
    xml.writeStartDocument("UTF-8", "1.0")
    xml.writeCharacters("\n")
    xml.write()
    xml.writeEndDocument()
    return text.toString()
}

/** An element on lines of its own. */
internal fun XMLStreamWriter.element(
    name: String,
    vararg attributes: Pair<String, String>,
    inside: XMLStreamWriter.() -> Unit = {},
) {
    writeStartElement(name)
    attributes.forEach { (key, value) -> writeAttribute(key, printable(value)) }
    inside()
    writeEndElement()
    writeCharacters("\n")
}

internal fun XMLStreamWriter.text(words: String) = writeCharacters(printable(words))

/** XML 1.0 forbids control characters, even escaped. */
private fun printable(text: String) = text.filter { it >= ' ' || it == '\n' || it == '\t' }
