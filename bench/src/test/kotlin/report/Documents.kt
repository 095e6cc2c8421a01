package threadgauge.report

import java.io.StringReader
import javax.xml.parsers.DocumentBuilderFactory
import org.w3c.dom.Document
import org.w3c.dom.Element
import org.xml.sax.InputSource

/** Strictly, as XML; scripts are not XML and are left out, as a browser leaves them out of its parsing. */
internal fun parse(html: String): Document {
    val script = Regex("(<script[^>]*>).*?</script>", RegexOption.DOT_MATCHES_ALL)
    val xml = html.removePrefix("<!DOCTYPE html>\n").replace(script, "$1</script>")
    return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(InputSource(StringReader(xml)))
}

internal fun Document.elements(): List<Element> = documentElement.descendants("*")

internal fun Element.descendants(name: String): List<Element> =
    getElementsByTagName(name).let { found -> (0 until found.length).map { found.item(it) as Element } }

internal fun Element.attribute(name: String): String? = if (hasAttribute(name)) getAttribute(name) else null
